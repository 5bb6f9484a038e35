// Our kernel behind the adapter protocol. Takes the neutral requests apart, and says what the kernel did; decides
// nothing.
import { createKernel, type Kernel, type Session } from '@tenon/kernel';
import type { PlanItem, RenderNode } from '@tenon/protocol';
import type { AdapterHandlers } from './adapter-server.js';
import type { ReportAnswer, TurnAnswer, TurnRequest } from './protocol.js';
import { tenonConfig, warningsOf } from './tenon-config.js';
import { watchTurn } from './tenon-turn.js';

interface Running {
  readonly kernel: Kernel;
  readonly session: Session;
  /** The kernel's ids of calls, and those of the kit. */
  readonly ids: Map<string, string>;
}

/** Handlers over one kernel at a time. */
export function tenonHandlers(): AdapterHandlers {
  let running: Running | undefined;
  const current = (): Running => {
    if (running === undefined) throw new Error('no kernel is started');
    return running;
  };
  return {
    start: async (request) => {
      const kernel = await createKernel({ config: tenonConfig(request) });
      const problems = kernel.providers().flatMap(({ problem }) => problem ?? []);
      if (problems.length > 0) {
        await kernel.close();
        throw new Error(problems.join('; '));
      }
      const session = await kernel.openSession({
        workingDirectory: request.workingDirectory,
        planMode: request.planMode,
      });
      running = { kernel, session, ids: new Map() };
      return {
        offered: session.operations().map(({ name }) => name),
        refused: kernel.providers().flatMap(({ refused }) =>
          refused.map(({ operation, violations }) => ({
            operation,
            reason: violations
              .map(({ requirement, message }) => `${requirement}: ${message}`)
              .join('; '),
          })),
        ),
        warnings: warningsOf(request),
      };
    },
    turn: (request) => runTurn(current(), request),
    report: async () => report(current()),
    render: async ({ provider, payload, schemaVersion }) => ({
      text: JSON.stringify(
        textsOf((await current().kernel.render(provider, payload, schemaVersion)).root),
      ),
    }),
    stop: async () => {
      const ended = running;
      running = undefined;
      await ended?.session.end();
      await ended?.kernel.close();
    },
  };
}

async function runTurn(
  { kernel, session, ids }: Running,
  request: TurnRequest,
): Promise<TurnAnswer> {
  const watch = watchTurn(request);
  const { turnId, outcomes, end } = await session.runTurn(
    request.calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    {
      approver: watch.approver,
      observer: watch.observer,
      ...(request.cancelAfterMs === undefined
        ? {}
        : { signal: AbortSignal.timeout(request.cancelAfterMs) }),
    },
  );
  for (const [index, outcome] of outcomes.entries()) {
    ids.set(outcome.callId, request.calls[index]?.id ?? '');
  }
  await kernel.journal.flush();
  const items = [...kernel.journal.session(session.id)].flatMap((entry) =>
    entry.type === 'plan_item' && entry.turnId === turnId ? [entry.item] : [],
  );
  return {
    end: end.reason,
    results: outcomes.map((outcome, index) =>
      watch.resultOf(outcome, request.calls[index]?.id ?? '', end.reason === 'aborted'),
    ),
    plan: items.map((item) => planItemOf(item, ids)),
    asked: watch.asked,
  };
}

function planItemOf(item: PlanItem, ids: ReadonlyMap<string, string>): TurnAnswer['plan'][number] {
  return {
    callId: ids.get(item.callId) ?? item.callId,
    operation: item.operation,
    kind: item.kind,
    risk: item.risk,
    description: item.description,
    hasPreview: item.preview !== undefined,
  };
}

async function report({ kernel, session, ids }: Running): Promise<ReportAnswer> {
  await kernel.journal.flush();
  const calls = new Map<string, Mutable>();
  const of = (callId: string): Mutable => {
    const id = ids.get(callId) ?? callId;
    const known = calls.get(id) ?? {
      callId: id,
      attempts: 0,
      recorded: '',
      violations: [],
      downgraded: false,
    };
    calls.set(id, known);
    return known;
  };
  for (const entry of kernel.journal.session(session.id)) {
    switch (entry.type) {
      case 'attempt_started':
        of(entry.callId).attempts += 1;
        break;
      case 'event':
        of(entry.callId).recorded +=
          JSON.stringify(entry.event) +
          (entry.chunk === undefined ? '' : Buffer.from(entry.chunk).toString());
        break;
      case 'attempt_ended':
        if (entry.status === 'error') {
          of(entry.callId).violations.push(
            ...entry.violations.map(({ requirement }) => requirement),
          );
        }
        break;
      case 'decision': {
        const call = of(entry.callId);
        call.downgraded = entry.downgraded;
        if (entry.originalArguments !== undefined) call.originalArguments = entry.originalArguments;
        break;
      }
      default:
    }
  }
  return { calls: [...calls.values()] };
}

type Call = ReportAnswer['calls'][number];
type Mutable = { -readonly [K in keyof Call]: K extends 'violations' ? string[] : Call[K] };

/** Every text that a picture shows. */
function textsOf(node: RenderNode): unknown {
  return 'content' in node ? node.content : node;
}
