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
  /** For a check that leaves the session in a state that others should not find. */
  readonly own?: string;
}

export interface ScriptedCall {
  /** Also the call's id; must be unique within a check. */
  readonly token: string;
  readonly operation: string;
  readonly attempts: readonly (readonly Step[])[];
  readonly key?: string;
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

/** An adapter with the kernel that it runs now; a kernel serves several checks that want the same of it. */
export interface Stand {
  readonly adapter: Adapter;
  readonly workspaces: Workspaces;
  /** What was asked of the kernel that runs; undefined when none does. */
  running: { readonly key: string; readonly answer: StartAnswer } | undefined;
  readonly directory: string;
  readonly witnessPath: string;
}

export function createStand(adapter: Adapter, workspaces: Workspaces): Stand {
  return {
    adapter,
    workspaces,
    running: undefined,
    directory: workspaces.empty(),
    witnessPath: join(workspaces.empty(), 'witness.jsonl'),
  };
}

export interface BenchOptions {
  readonly timeoutMs: number;
  readonly extra: JsonObject;
  /** Sets the calls of this check apart from those of others. */
  readonly prefix: string;
}

export function createBench(stand: Stand, options: BenchOptions): Bench {
  const { adapter, directory, witnessPath } = stand;
  const mark = (token: string): string => `${options.prefix}:${token}`;
  const unmark = (token: string): string => token.slice(options.prefix.length + 1);
  const isOurs = (line: Witnessed): boolean =>
    !('token' in line) || line.token.startsWith(`${options.prefix}:`);
  const witnessed = (): Witnessed[] =>
    readWitness(witnessPath)
      .filter(isOurs)
      .map((line) => ('token' in line ? { ...line, token: unmark(line.token) } : line));
  const marked = <T>(record: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([id, value]) => [mark(id), value]));
  const stop = async (): Promise<void> => {
    if (stand.running !== undefined) await adapter.request({ op: 'stop' }, 30_000);
    stand.running = undefined;
  };
  const bench: Bench = {
    adapterPid: adapter.pid,
    directory,
    start: async (setup = {}) => {
      const request = startRequest(setup, directory, witnessPath, options.extra);
      const key = JSON.stringify(request);
      if (stand.running?.key === key) return stand.running.answer;
      await stop();
      rmSync(witnessPath, { force: true });
      const answer = (await adapter.request(request, 30_000)) as StartAnswer;
      stand.running = { key, answer };
      return answer;
    },
    turn: async (calls, more = {}) => {
      const started = performance.now();
      const answer = (await adapter.request(
        {
          op: 'turn',
          calls: calls.map((call) => ({
            id: mark(call.token),
            name: `adversary.${call.operation}`,
            arguments: argumentsOf({ ...call, token: mark(call.token) }),
          })),
          decisions: Object.fromEntries(
            Object.entries(more.decisions ?? {}).map(([id, decision]) => [
              mark(id),
              decision.arguments === undefined
                ? decision
                : { ...decision, arguments: { ...decision.arguments, token: mark(id) } },
            ]),
          ),
          answers: marked(more.answers),
          ...(more.cancelAfterMs === undefined ? {} : { cancelAfterMs: more.cancelAfterMs }),
        },
        options.timeoutMs * 4,
      )) as TurnAnswer;
      return {
        ...answer,
        results: answer.results.map((one) => ({ ...one, callId: unmark(one.callId) })),
        plan: answer.plan.map((one) => ({ ...one, callId: unmark(one.callId) })),
        asked: answer.asked.map(unmark),
        tookMs: performance.now() - started,
      };
    },
    report: async () => {
      const { calls } = (await adapter.request(
        { op: 'report' },
        options.timeoutMs,
      )) as ReportAnswer;
      return {
        calls: calls
          .filter(({ callId }) => callId.startsWith(`${options.prefix}:`))
          .map((call) => ({ ...call, callId: unmark(call.callId) })),
      };
    },
    render: async (payload) =>
      (await adapter.request(
        { op: 'render', provider: 'adversary', payload, schemaVersion: '1' },
        options.timeoutMs,
      )) as RenderAnswer,
    witnessed,
    invocations: (token) =>
      witnessed().flatMap((line) => (line.type === 'invoke' && line.token === token ? [line] : [])),
    interval: (token) => {
      const lines = witnessed();
      const from = lines.find((line) => line.type === 'invoke' && line.token === token)?.at;
      const to = lines.findLast((line) => line.type === 'ended' && line.token === token)?.at;
      return from === undefined || to === undefined ? undefined : [from, to];
    },
    stop,
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
    extra: setup.own === undefined ? extra : { ...extra, own: setup.own },
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
