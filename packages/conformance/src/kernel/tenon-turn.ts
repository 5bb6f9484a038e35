// One turn of our kernel as the adapter sees it: decisions and answers that the kit has prepared, output as an
// observer gets it, and outcomes in the words of the adapter protocol.
import { asText } from '../model/text.js';
import { setTimeout as later } from 'node:timers/promises';
import type { Approver, CallOutcome, KernelObserver } from '@tenon/kernel';
import type { AdapterResult, TurnRequest } from './protocol.js';

export interface TurnWatch {
  readonly approver: Approver;
  readonly observer: KernelObserver;
  /** The kit's ids of the calls that were asked for. */
  readonly asked: string[];
  resultOf(outcome: CallOutcome, id: string, aborted: boolean): AdapterResult;
}

// Longer chunks are not kept: a flood is not for reading.
const LONGEST_KEPT = 1_000;

export function watchTurn(request: TurnRequest): TurnWatch {
  const asked: string[] = [];
  const output = new Map<string, string>();
  return {
    asked,
    observer: (event) => {
      if (event.type !== 'call_event' || event.event.type !== 'output_chunk') return;
      if (event.event.data.length > LONGEST_KEPT) return;
      const text = Buffer.from(event.event.data).toString();
      output.set(event.callId, (output.get(event.callId) ?? '') + text);
    },
    approver: approverOf(request, asked),
    resultOf: (outcome, id, aborted) => ({
      callId: id,
      status: outcome.status,
      ...(outcome.status === 'ok' ? { payload: outcome.payload } : { error: errorOf(outcome) }),
      ...whatModelSees(outcome, aborted),
      output: output.get(outcome.callId) ?? '',
    }),
  };
}

function approverOf(request: TurnRequest, asked: string[]): Approver {
  return {
    async decide({ item }) {
      // The kit's calls carry their own id as an argument.
      const id = asText(item.input['token']);
      if (!asked.includes(id)) asked.push(id);
      const decision = request.decisions[id];
      if (decision === undefined) {
        return { action: 'deny', scope: 'once', reason: 'nobody is there to decide', by: 'kit' };
      }
      if (decision.afterMs !== undefined) await later(decision.afterMs);
      if (decision.action === 'deny') {
        const scope = decision.scope === 'session' ? 'session' : 'once';
        return { action: 'deny', scope, reason: decision.reason ?? 'denied', by: 'kit' };
      }
      return {
        action: 'allow',
        scope: decision.scope ?? 'once',
        ...(decision.arguments === undefined ? {} : { arguments: decision.arguments }),
        by: 'kit',
      };
    },
    async answer({ arguments: args }) {
      const answer = request.answers[asText(args['token'])];
      if (answer === undefined) throw new Error('nobody is there to answer');
      return answer;
    },
  };
}

type Failed = Exclude<CallOutcome, { status: 'ok' }>;

function errorOf({ error }: Failed): NonNullable<AdapterResult['error']> {
  return {
    category: error.category,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

// As an agent that embeds the kernel makes a tool_result of an outcome.
function whatModelSees(
  outcome: CallOutcome,
  aborted: boolean,
): Pick<AdapterResult, 'modelSees' | 'isError'> {
  switch (outcome.status) {
    case 'ok':
      return { modelSees: JSON.stringify(outcome.payload), isError: false };
    case 'cancelled':
      return { modelSees: aborted ? outcome.error.message : '', isError: aborted };
    case 'denied':
      return { modelSees: outcome.reason, isError: true };
    case 'error':
      return { modelSees: `${outcome.error.category}: ${outcome.error.message}`, isError: true };
  }
}
