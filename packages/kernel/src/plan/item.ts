// A plan item: the snapshot of a call that is shown, decided and journaled (GATE-01, GATE-03).
import type { PlanItem, RenderTree } from '@tenon/protocol';
import { newId } from '../session/ids.js';
import type { PreparedCall } from '../call.js';

/** Made once; nothing that the provider says later changes it. */
export function snapshot(prepared: PreparedCall, preview: RenderTree | undefined): PlanItem {
  const { entry, call } = prepared;
  const { operation } = entry;
  return structuredClone({
    id: newId(),
    callId: call.id,
    provider: entry.provider.name,
    operation: operation.name,
    input: call.arguments,
    decision: 'pending',
    decidedBy: '',
    kind: operation.kind,
    risk: operation.risk,
    description: operation.description,
    ...(preview === undefined ? {} : { preview }),
  } satisfies PlanItem);
}
