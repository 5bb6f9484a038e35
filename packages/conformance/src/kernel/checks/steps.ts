// The words that scripts of calls are made of.
import type { ToolErrorCategory } from '@tenon/protocol';
import type { Step } from '../adversary/script.js';
import type { AdapterResult, TurnAnswer } from '../protocol.js';
import type { Bench, ScriptedCall } from '../bench.js';

export const OK: Step = { do: 'result', payload: { n: 1 } };

export const failing = (category: ToolErrorCategory, retryable = true): Step => ({
  do: 'error',
  category,
  retryable,
  message: `the script says ${category}`,
});

/** A call of one attempt, or of several that differ. */
export function call(
  operation: string,
  attempts: readonly (readonly Step[])[],
  more: Partial<Pick<ScriptedCall, 'token' | 'key'>> = {},
): ScriptedCall {
  return { token: more.token ?? operation, operation, attempts, ...more };
}

export function resultOf(turn: TurnAnswer, token: string): AdapterResult {
  const result = turn.results.find(({ callId }) => callId === token);
  if (result === undefined) throw new Error(`the answer to the turn has no result of ${token}`);
  return result;
}

export function show(result: AdapterResult): string {
  const more =
    result.error === undefined
      ? JSON.stringify(result.payload ?? {})
      : `${result.error.category} ${JSON.stringify(result.error.message.slice(0, 120))}`;
  return `${result.status} ${more}`;
}

/** Starts, runs one turn of one call, and gives its result. */
export async function single(
  bench: Bench,
  one: ScriptedCall,
  more: Parameters<Bench['turn']>[1] = {},
): Promise<AdapterResult> {
  return resultOf(await bench.turn([one], more), one.token);
}

export const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
