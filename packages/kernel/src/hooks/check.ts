// Hooks that cannot work are found when the kernel starts, not at their first event (HKP-02).
import type { HookPoint } from '@tenon/protocol';
import type { Catalog } from '../catalog/model.js';
import type { HookSubscription, SourceLocation } from '../config/model.js';
import type { InProcessHook } from './subscriber.js';

/** Where a veto has something to refuse; at the others everything has happened already. */
const VETO_POINTS: readonly HookPoint[] = [
  'session_start',
  'pre_model_call',
  'post_model_response',
  'pre_tool_call',
  'plan_ready',
];

export interface HookProblem {
  readonly message: string;
  readonly location?: SourceLocation;
}

/** Everything that is wrong with the subscriptions. A provider that did not start is not judged here. */
export function hookProblems(
  configured: readonly HookSubscription[],
  inProcess: readonly InProcessHook[],
  catalog: Catalog,
): readonly HookProblem[] {
  return [
    ...[...configured, ...inProcess].flatMap((hook) =>
      modeProblem(hook).map((message) => ({ message, ...placeOf(hook) })),
    ),
    ...configured.flatMap((hook) =>
      providerProblem(hook, catalog).map((message) => ({ message, ...placeOf(hook) })),
    ),
  ];
}

const placeOf = (hook: HookSubscription | InProcessHook): { location?: SourceLocation } =>
  'location' in hook && hook.location !== undefined ? { location: hook.location } : {};

function modeProblem(hook: HookSubscription | InProcessHook): string[] {
  if (hook.mode === 'transform' && hook.point !== 'pre_model_call') {
    return [
      `hook "${hook.name}": only pre_model_call can be transformed, and this is ${hook.point}`,
    ];
  }
  if (hook.mode === 'veto' && !VETO_POINTS.includes(hook.point)) {
    const points = VETO_POINTS.join(', ');
    return [
      `hook "${hook.name}": there is nothing to veto at ${hook.point}; a veto works at ${points}`,
    ];
  }
  return [];
}

function providerProblem(hook: HookSubscription, catalog: Catalog): string[] {
  const provider = catalog.providers().find((one) => one.name === hook.provider);
  if (provider === undefined) {
    return [`hook "${hook.name}": there is no provider "${hook.provider}" in the configuration`];
  }
  if (provider.status().state !== 'ready') return [];
  const supported = provider.schema.supportedHookPoints;
  if (supported.includes(hook.point)) return [];
  const list = supported.length === 0 ? 'none' : supported.join(', ');
  return [
    `hook "${hook.name}": provider "${hook.provider}" does not support ${hook.point} (HKP-02); it supports ${list}`,
  ];
}

/** Hooks that cannot work, all of them. */
export class HookLoadError extends Error {
  readonly problems: readonly HookProblem[];
  constructor(problems: readonly HookProblem[]) {
    super(
      problems
        .map(({ message, location }) =>
          location === undefined ? message : `${location.file}:${location.line}: ${message}`,
        )
        .join('\n'),
    );
    this.name = 'HookLoadError';
    this.problems = problems;
  }
}
