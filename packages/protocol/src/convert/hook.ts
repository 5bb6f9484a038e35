// A hook's dispatch and its answer ↔ wire (HKP-01, GATE-08).
import type { HookAnswer, HookDispatch } from '../domain/tool-provider.js';
import {
  type DispatchHookRequest,
  type DispatchHookResponse,
  HookDecision,
} from '../gen/pluggableharness/hook/v1/hook_pb.js';
import { hookModes } from './enums.js';
import { hookPayloadFromWire, hookPayloadToWire } from './hook-payload.js';
import { type Received, received, refused } from './received.js';

export function hookDispatchToWire(dispatch: HookDispatch): DispatchHookRequest {
  return {
    $typeName: 'pluggableharness.hook.v1.DispatchHookRequest',
    payload: hookPayloadToWire(dispatch.payload),
    mode: hookModes.toWire(dispatch.mode),
    subscriptionId: dispatch.subscriptionId,
  };
}

/** Refused when the mode or the payload cannot be read; answer that with INVALID_ARGUMENT. */
export function hookDispatchFromWire(wire: DispatchHookRequest): Received<HookDispatch> {
  const mode = hookModes.fromWire(wire.mode);
  if (mode === undefined) {
    return refused('HKP-01', '/mode', `hook mode number ${wire.mode} is not known here`);
  }
  const payload = hookPayloadFromWire(wire.payload);
  if (!payload.ok) return payload;
  const { subscriptionId } = wire;
  return received({
    mode,
    payload: payload.value,
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
  });
}

export function hookAnswerToWire(answer: HookAnswer): DispatchHookResponse {
  return {
    $typeName: 'pluggableharness.hook.v1.DispatchHookResponse',
    outcome: outcomeToWire(answer),
  };
}

function outcomeToWire(answer: HookAnswer): DispatchHookResponse['outcome'] {
  switch (answer.type) {
    case 'observe':
      return {
        case: 'observe',
        value: { $typeName: 'pluggableharness.hook.v1.DispatchHookResponse.ObserveAck' },
      };
    case 'transform':
      return {
        case: 'transform',
        value: {
          $typeName: 'pluggableharness.hook.v1.DispatchHookResponse.TransformResult',
          payload: hookPayloadToWire(answer.payload),
        },
      };
    case 'veto':
      return {
        case: 'veto',
        value: {
          $typeName: 'pluggableharness.hook.v1.DispatchHookResponse.VetoResult',
          decision: DECISIONS[answer.decision],
        },
      };
  }
}

const DECISIONS = {
  unspecified: HookDecision.UNSPECIFIED,
  allow: HookDecision.ALLOW,
  deny: HookDecision.DENY,
} as const;

/**
 * Reads a subscriber's answer. A veto that says neither allow nor deny, or a number unknown here, is
 * 'unspecified', which counts as deny (GATE-08). Refused are an answer without an outcome and a transform
 * whose payload cannot be read.
 */
export function hookAnswerFromWire(wire: DispatchHookResponse): Received<HookAnswer> {
  const { outcome } = wire;
  switch (outcome.case) {
    case 'observe':
      return received({ type: 'observe' });
    case 'transform': {
      const payload = hookPayloadFromWire(outcome.value.payload, '/transform/payload');
      return payload.ok ? received({ type: 'transform', payload: payload.value }) : payload;
    }
    case 'veto':
      return received({ type: 'veto', decision: readDecision(outcome.value.decision) });
    default:
      return refused('GATE-08', '', 'the answer of the hook has no outcome: its oneof is not set');
  }
}

function readDecision(decision: HookDecision): 'allow' | 'deny' | 'unspecified' {
  if (decision === HookDecision.ALLOW) return 'allow';
  return decision === HookDecision.DENY ? 'deny' : 'unspecified';
}
