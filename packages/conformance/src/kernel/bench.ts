// What a check of a kernel uses: a kernel that was started through the adapter with the adversarial provider, turns
// of scripted calls, and what the provider has witnessed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@tenon/protocol';
import { fail, type Finding, pass, type Verdict } from '../model/check.js';
import type { Workspaces } from '../cases/workspace.js';
import type { Adapter } from './adapter-process.js';
import { readWitness, type Witnessed } from './adversary/witness.js';
import type { Step } from './adversary/script.js';
import type {
  AdapterPolicy,
  RenderAnswer,
  ReportAnswer,
  StartAnswer,
  StartRequest,
  TurnAnswer,
  TurnRequest,
} from './protocol.js';

const ADVERSARY = fileURLToPath(new URL('./adversary/adversary.js', import.meta.url));

export interface Setup {
  readonly preview?: 'ok' | 'absent' | 'hang' | 'fail';
  readonly hook?: 'allow' | 'hang' | 'fail';
  readonly policies?: readonly AdapterPolicy[];
  readonly hooks?: StartRequest['hooks'];
  readonly timeoutsMs?: Readonly<Record<string, number>>;
  readonly planMode?: boolean;
  readonly breakerConsecutive?: number;
  readonly sha256?: string;
  readonly cancelGraceMs?: number;
}

export interface ScriptedCall {
  /** Also the call's id; must be unique within a check. */
  readonly token: string;
  readonly operation: string;
  readonly attempts: readonly (readonly Step[])[];
  readonly key?: string;
  /** Replaces the scripted arguments. */
  readonly arguments?: JsonObject;
}

export interface Bench {
  readonly adapterPid: number;
  readonly directory: string;
  start(setup?: Setup): Promise<StartAnswer>;
  turn(
    calls: readonly ScriptedCall[],
    more?: Partial<Pick<TurnRequest, 'decisions' | 'answers' | 'cancelAfterMs'>>,
  ): Promise<TurnAnswer & { readonly tookMs: number }>;
  report(): Promise<ReportAnswer>;
  render(payload: JsonObject): Promise<RenderAnswer>;
  witnessed(): readonly Witnessed[];
  invocations(token: string): readonly Extract<Witnessed, { type: 'invoke' }>[];
  /** When a call ran in the provider, in milliseconds; undefined when it did not, or did not end. */
  interval(token: string): readonly [from: number, to: number] | undefined;
  stop(): Promise<void>;
}

/** Every resource is allowed. */
export const ALLOW_ALL: readonly AdapterPolicy[] = [
  { name: 'allow-all', match: { provider: 'adversary' }, action: 'allow' },
];

export function createBench(
  adapter: Adapter,
  workspaces: Workspaces,
  options: { readonly timeoutMs: number; readonly extra: JsonObject },
): Bench {
  const directory = workspaces.empty();
  const witnessPath = join(workspaces.empty(), 'witness.jsonl');
  let running = false;
  const bench: Bench = {
    adapterPid: adapter.pid,
    directory,
    start: async (setup = {}) => {
      rmSync(witnessPath, { force: true });
      const answer = await adapter.request(
        startRequest(setup, directory, witnessPath, options.extra),
        30_000,
      );
      running = true;
      return answer as StartAnswer;
    },
    turn: async (calls, more = {}) => {
      const started = performance.now();
      const answer = await adapter.request(
        {
          op: 'turn',
          calls: calls.map((call) => ({
            id: call.token,
            name: `adversary.${call.operation}`,
            arguments: call.arguments ?? argumentsOf(call),
          })),
          decisions: {},
          answers: {},
          ...more,
        },
        options.timeoutMs * 4,
      );
      return { ...(answer as TurnAnswer), tookMs: performance.now() - started };
    },
    report: async () =>
      (await adapter.request({ op: 'report' }, options.timeoutMs)) as ReportAnswer,
    render: async (payload) =>
      (await adapter.request(
        { op: 'render', provider: 'adversary', payload, schemaVersion: '1' },
        options.timeoutMs,
      )) as RenderAnswer,
    witnessed: () => readWitness(witnessPath),
    invocations: (token) =>
      readWitness(witnessPath).flatMap((line) =>
        line.type === 'invoke' && line.token === token ? [line] : [],
      ),
    interval: (token) => {
      const lines = readWitness(witnessPath);
      const from = lines.find((line) => line.type === 'invoke' && line.token === token)?.at;
      const to = lines.findLast((line) => line.type === 'ended' && line.token === token)?.at;
      return from === undefined || to === undefined ? undefined : [from, to];
    },
    stop: async () => {
      if (running) await adapter.request({ op: 'stop' }, 30_000);
      running = false;
    },
  };
  return bench;
}

function argumentsOf({ attempts, token, key }: ScriptedCall): JsonObject {
  return { script: JSON.stringify(attempts), token, ...(key === undefined ? {} : { key }) };
}

function startRequest(
  setup: Setup,
  directory: string,
  witnessPath: string,
  extra: JsonObject,
): StartRequest {
  return {
    op: 'start',
    workingDirectory: directory,
    providers: [
      {
        name: 'adversary',
        command: process.execPath,
        args: [ADVERSARY],
        env: {
          ADVERSARY_WITNESS: witnessPath,
          ADVERSARY_PREVIEW: setup.preview ?? 'ok',
          ADVERSARY_HOOK: setup.hook ?? 'absent',
        },
        timeoutsMs: setup.timeoutsMs ?? {},
        ...(setup.sha256 === undefined ? {} : { sha256: setup.sha256 }),
      },
    ],
    policies: setup.policies ?? ALLOW_ALL,
    hooks: setup.hooks ?? [],
    settings: {
      defaultTimeoutMs: 10_000,
      previewTimeoutMs: 400,
      cancelGraceMs: setup.cancelGraceMs ?? 300,
      breakerConsecutive: setup.breakerConsecutive ?? 50,
    },
    planMode: setup.planMode ?? false,
    extra,
  };
}

/** One thing that should be so. */
export interface Fact {
  readonly expected: string;
  readonly holds: boolean;
  readonly saw: string;
  readonly fix?: string;
}

/** Passes when every fact holds. */
export function verdictOf(did: string, facts: readonly Fact[]): Verdict {
  const broken: Finding[] = facts
    .filter(({ holds }) => !holds)
    .map(({ expected, saw, fix }) => ({
      did,
      expected,
      saw,
      ...(fix === undefined ? {} : { fix }),
    }));
  return broken.length > 0
    ? fail(...broken)
    : pass(
        did,
        facts.map(({ expected }) => expected).join('; '),
        facts.map(({ saw }) => saw).join('; '),
      );
}
