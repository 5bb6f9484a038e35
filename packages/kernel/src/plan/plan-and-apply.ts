// The resource calls of a turn: a plan with a snapshot and a preview of each, hooks and policy, a decision per
// item, and the allowed ones applied as soon as they are allowed (GATE-01..08).
//
// Items that share a lock key apply in declaration order: a later one waits until every earlier one that was
// planned with that key is decided, also while that one is still being asked. All others go on at once, whatever is
// still being asked (GATE-04). A correction moves an item to the keys of its new arguments; whoever has them already
// goes first.
import { context as otel, trace } from '@opentelemetry/api';
import type { ApplyItem, ApplyResult, PlanItem } from '@tenon/protocol';
import { prepareCall, type PreparedCall } from '../call.js';
import { appendAlwaysRule } from '../policy/always.js';
import type { PolicyRule } from '../policy/model.js';
import { dispatchHooks } from '../hooks/dispatch.js';
import type { LockKey } from '../locks/lock-table.js';
import { recordAllow, refuse, verdictOn } from '../session/gate.js';
import { hookOptions } from '../session/hook-options.js';
import { runCall } from '../session/run-call.js';
import { endCancelled, type TurnCall, type TurnContext } from '../session/turn-context.js';
import { askForItem, type ItemDecision } from './decide-item.js';
import { snapshot } from './item.js';
import { previewOf } from './preview.js';

interface Planned {
  readonly call: TurnCall;
  readonly item: PlanItem;
  readonly prepared: PreparedCall;
}

const tracer = trace.getTracer('@tenon/kernel');

/** Resolves when all of them have ended; undefined when there was nothing to plan. */
export async function planAndApply(
  context: TurnContext,
  calls: readonly TurnCall[],
): Promise<ApplyResult | undefined> {
  const { turnId, signal } = context;
  const open = calls.filter((call) => call.prepared !== undefined);
  if (open.length === 0) return undefined;
  if (signal.aborted) {
    for (const call of open) endCancelled(call);
    return undefined;
  }
  const span = tracer.startSpan(
    'plan',
    { attributes: { 'tenon.plan.items': open.length } },
    otel.active(),
  );
  const planned = await buildPlan(context, open);
  const ready = await dispatchHooks(
    { point: 'plan_ready', plan: { turnId, items: planned.map(({ item }) => item) } },
    hookOptions(context, 'plan_ready'),
  );
  span.end();
  if (ready.denied !== undefined) {
    const { by, reason } = ready.denied;
    for (const { call } of planned) refuse(context, call, { decidedBy: by, reason });
  } else {
    await applyAll(context, planned);
  }
  return { turnId, items: planned.map(applied) };
}

/** Snapshots in declaration order; previews are asked for together. */
async function buildPlan(context: TurnContext, calls: readonly TurnCall[]): Promise<Planned[]> {
  const { kernel, session, turnId, signal } = context;
  const { previewTimeoutMs } = kernel.config.settings;
  const planned = await Promise.all(
    calls.map(async (call) => {
      const prepared = call.prepared as PreparedCall;
      const preview = await previewOf(prepared, previewTimeoutMs, signal);
      if (preview.type === 'none' && preview.why !== '') {
        const message = `${prepared.entry.qualifiedName}: the plan shows the raw arguments: ${preview.why}`;
        void context.observer({ type: 'log', provider: 'kernel', level: 'warn', message });
      }
      const tree = preview.type === 'shown' ? preview.tree : undefined;
      return { call, prepared, item: snapshot(prepared, tree) };
    }),
  );
  for (const { item } of planned) {
    kernel.record({ type: 'plan_item', sessionId: session.id, turnId, item });
  }
  return planned;
}

/** An item of the plan on its way to its locks. */
interface InOrder extends Planned {
  readonly keys: ReadonlySet<LockKey>;
  /** Settles when it stands in the queue of its locks, or has ended without. */
  readonly queued: Promise<void>;
  readonly isQueued: () => void;
}

async function applyAll(context: TurnContext, planned: readonly Planned[]): Promise<void> {
  const items = planned.map((one): InOrder => {
    let isQueued: () => void = () => undefined;
    const queued = new Promise<void>((resolve) => {
      isQueued = resolve;
    });
    return { ...one, keys: new Set(one.prepared.keys), queued, isQueued };
  });
  await Promise.all(
    items.map((item, index) =>
      applyOne(context, item, items.slice(0, index)).finally(item.isQueued),
    ),
  );
}

async function applyOne(
  context: TurnContext,
  item: InOrder,
  earlier: readonly InOrder[],
): Promise<void> {
  const { call, prepared } = item;
  const decision = await decideItem(context, item);
  if (decision.action === 'cancelled') return endCancelled(call);
  if (decision.action === 'deny') {
    if (decision.scope === 'session') remember(context, item, 'deny', decision.reason);
    return refuse(context, call, {
      decidedBy: decision.by,
      reason: decision.reason,
      scope: decision.scope,
    });
  }
  call.prepared = decision.prepared;
  if (decision.scope !== 'once') remember(context, item, 'allow', decision.reason);
  recordAllow(context, call, {
    decidedBy: decision.by,
    reason: decision.reason,
    scope: decision.scope,
    ...(decision.corrected ? { originalArguments: prepared.call.arguments } : {}),
  });
  const { entry, keys, mode } = decision.prepared;
  // By the keys that it will hold, which a correction may have changed.
  const before = earlier.filter(
    (other) =>
      other.prepared.entry.provider === entry.provider && keys.some((key) => other.keys.has(key)),
  );
  if (before.length > 0) await Promise.all(before.map((other) => other.queued));
  const lock = entry.provider.locks.request(keys, mode);
  item.isQueued();
  await runCall(context, call, decision.prepared, lock);
}

async function decideItem(context: TurnContext, planned: Planned): Promise<ItemDecision> {
  const { call, item, prepared } = planned;
  if (context.session.planMode) {
    const reason = 'the session is in plan mode: nothing is changed';
    return { action: 'deny', by: 'plan-mode', reason, scope: 'once' };
  }
  const verdict = verdictOn(context, prepared);
  if (verdict.action === 'deny') {
    return { action: 'deny', by: verdict.decidedBy, reason: verdict.reason, scope: 'once' };
  }
  if (verdict.action === 'allow') {
    const { decidedBy: by, reason } = verdict;
    return { action: 'allow', by, reason, scope: 'once', prepared, corrected: false };
  }
  // An open breaker refuses at once: nobody is asked for a call that would not run.
  const breaker = context.session.breakers.of(item.provider).check();
  if (breaker.open) return { action: 'deny', by: 'breaker', reason: breaker.reason, scope: 'once' };
  return askForItem({
    item: { ...item, decision: 'ask', decidedBy: verdict.decidedBy },
    prepared,
    approver: context.approver,
    reason: verdict.reason,
    signal: context.signal,
    prepare: (args) =>
      prepareCall({
        catalog: context.kernel.catalog,
        name: prepared.entry.qualifiedName,
        arguments: args,
        callId: call.callId,
        sessionId: context.session.id,
        turnId: context.turnId,
        workingDirectory: context.session.workingDirectory,
      }),
    saveAlways: (saved) => saveAlways(context, saved),
  });
}

/** GATE-07: "session" holds per provider and operation, until the session ends. */
function remember(
  { session }: TurnContext,
  { item }: Planned,
  action: 'allow' | 'deny',
  reason: string,
): void {
  const { provider, operation } = item;
  session.rules.push({ provider, operation, action, reason: `${reason}, for the session` });
}

/** GATE-07: "always" becomes a rule beside the configuration; rejects where it cannot be written. */
async function saveAlways({ kernel }: TurnContext, item: PlanItem): Promise<void> {
  const { alwaysPath } = kernel.config;
  if (alwaysPath === undefined) {
    throw new Error('this configuration names no file for such rules (it was not read from one)');
  }
  const rule: PolicyRule = {
    name: `always-${item.provider}-${item.operation}`,
    match: { toolName: `${item.provider}.${item.operation}` },
    action: 'allow',
    reason: `allowed for always by a person on ${new Date().toISOString().slice(0, 10)}`,
  };
  await appendAlwaysRule(alwaysPath, rule);
  // From now on for every session of this kernel, not from its next start on.
  kernel.policy = { ...kernel.policy, always: [...kernel.policy.always, rule] };
}

function applied({ call, item }: Planned): ApplyItem {
  const base = { planItemId: item.id, callId: call.callId };
  const { outcome } = call;
  if (outcome === undefined || outcome.status === 'cancelled')
    return { ...base, outcome: 'skipped' };
  if (outcome.status === 'ok') {
    return { ...base, outcome: 'applied', result: { type: 'result', payload: outcome.payload } };
  }
  const failed = outcome.status === 'denied' ? 'denied' : 'failed';
  return { ...base, outcome: failed, result: { type: 'error', error: outcome.error } };
}
