// How an author subscribes to the points of a session (HKP-01), one map per mode, so that each function returns
// what its mode can say and nothing else.
import {
  HOOK_POINTS,
  type HookAnswer,
  type HookDispatch,
  type HookPayload,
  type HookPayloadOf,
  type HookPoint,
} from '@tenon/protocol';
import type { Log } from '../callbacks/log.js';
import { fail } from '../errors/fail.js';

export interface HookContext<P extends HookPoint, Config> {
  readonly payload: HookPayloadOf<P>;
  /** Tells apart several subscriptions of this provider, where the configuration has them. */
  readonly subscriptionId?: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly config: Config;
}

type Subscriber<P extends HookPoint, Config, Answer> = (
  context: HookContext<P, Config>,
) => Answer | Promise<Answer>;

/**
 * Subscriptions by mode and point. `observe` cannot change anything; `veto` decides, and a throw is a deny
 * (GATE-08); `transform` returns the payload with other messages.
 */
export interface Hooks<Config> {
  readonly observe?: { readonly [P in HookPoint]?: Subscriber<P, Config, void> };
  readonly veto?: { readonly [P in HookPoint]?: Subscriber<P, Config, 'allow' | 'deny'> };
  readonly transform?: {
    readonly pre_model_call?: Subscriber<'pre_model_call', Config, HookPayloadOf<'pre_model_call'>>;
  };
}

/** The points that something subscribes to, in the order of a session (HKP-01). */
export function hookPointsOf(hooks: Hooks<never> | undefined): HookPoint[] {
  if (hooks === undefined) return [];
  return HOOK_POINTS.filter((point) =>
    [hooks.observe, hooks.veto, hooks.transform].some(
      (mode) => mode !== undefined && Object.hasOwn(mode, point),
    ),
  );
}

type ErasedSubscriber = (context: {
  payload: HookPayload;
  subscriptionId?: string;
  signal: AbortSignal;
  log: Log;
  config: unknown;
}) => unknown;

/** Runs the subscriber of a dispatch. Rejects with what it threw, or when nothing subscribes to it. */
export async function runHook(
  hooks: Hooks<never>,
  dispatch: HookDispatch,
  rest: { readonly signal: AbortSignal; readonly log: Log; readonly config: unknown },
): Promise<HookAnswer> {
  const { mode, payload } = dispatch;
  const byPoint = hooks[mode] as Partial<Record<HookPoint, ErasedSubscriber>> | undefined;
  const subscriber =
    byPoint !== undefined && Object.hasOwn(byPoint, payload.point)
      ? byPoint[payload.point]
      : undefined;
  if (subscriber === undefined) {
    throw fail.invalidArguments(`this provider does not ${mode} ${payload.point}`, {
      subscriptions: Object.fromEntries(
        Object.entries(hooks).map(([name, points]) => [name, Object.keys(points as object)]),
      ),
    });
  }
  const answer = await subscriber({
    payload,
    ...(dispatch.subscriptionId === undefined ? {} : { subscriptionId: dispatch.subscriptionId }),
    ...rest,
  });
  switch (mode) {
    case 'observe':
      return { type: 'observe' };
    case 'veto':
      if (answer === 'allow' || answer === 'deny') return { type: 'veto', decision: answer };
      throw new TypeError(`the veto of ${payload.point} returned neither "allow" nor "deny"`);
    case 'transform':
      if ((answer as HookPayload | undefined)?.point === payload.point) {
        return { type: 'transform', payload: answer as HookPayload };
      }
      throw new TypeError(
        `the transform of ${payload.point} did not return a payload of that point`,
      );
  }
}
