// A question to the person: the kernel asks through the front end, checks the answer against the output
// schema, and gives it as the result. The provider is not called (KND-05).
import type { JsonObject, ToolErrorData } from '@tenon/protocol';
import type { PreparedCall } from '../call.js';
import type { Approver } from '../plan/approver.js';
import { untilAborted } from '../plan/decide-item.js';

export type Answer =
  | { readonly type: 'ok'; readonly payload: JsonObject }
  | { readonly type: 'denied'; readonly reason: string }
  | { readonly type: 'error'; readonly error: ToolErrorData };

const MAX_ROUNDS = 3;

/** Never rejects. `timeoutMs` bounds the wait for the person (TMO-02). */
export async function askPerson(
  prepared: PreparedCall,
  approver: Approver | undefined,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Answer> {
  const { entry, call } = prepared;
  if (approver?.answer === undefined) {
    return {
      type: 'denied',
      reason: `${entry.qualifiedName} needs a person to answer, and nobody is there; go on without the answer`,
    };
  }
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  if (options.signal.aborted) stop();
  options.signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, options.timeoutMs);
  let problems: readonly string[] = [];
  try {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const given = await untilAborted(
        approver.answer(
          {
            callId: call.id,
            provider: entry.provider.name,
            operation: entry.operation.name,
            description: entry.operation.description,
            arguments: call.arguments,
            output: entry.operation.output,
            problems,
          },
          { signal: abort.signal },
        ),
        abort.signal,
      );
      const answer = withDefault(call.arguments, given);
      problems = [
        ...entry
          .validateOutput(answer)
          .map(({ pointer, message }) => `${pointer} ${message}`.trim()),
        ...choiceProblems(call.arguments, answer),
      ];
      if (problems.length === 0) return { type: 'ok', payload: answer };
    }
    return failure('unknown', `no answer fits the question: ${problems.join('; ')}`);
  } catch (error) {
    if (options.signal.aborted) {
      return failure('cancelled', `${entry.qualifiedName} was cancelled before it was answered`);
    }
    if (abort.signal.aborted) {
      return failure(
        'timeout',
        `nobody answered ${entry.qualifiedName} within ${options.timeoutMs} ms`,
      );
    }
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'denied', reason: `${entry.qualifiedName} was not answered: ${message}` };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', stop);
  }
}

const failure = (category: 'unknown' | 'cancelled' | 'timeout', message: string): Answer => ({
  type: 'error',
  error: { category, message, retryable: false },
});

/** A question may say what an empty answer stands for. */
function withDefault(args: JsonObject, answer: JsonObject): JsonObject {
  const fallback = args['default'];
  if (typeof fallback !== 'string') return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, value === '' ? fallback : value]),
  );
}

/** A question with choices takes only those, unless it says allow_other. */
function choiceProblems(args: JsonObject, answer: JsonObject): string[] {
  const { choices } = args;
  if (args['allow_other'] === true || !Array.isArray(choices) || choices.length === 0) return [];
  const given = Object.values(answer).flat();
  const wrong = given.filter((value) => typeof value === 'string' && !choices.includes(value));
  return wrong.map(
    (value) => `${JSON.stringify(value)} is not one of the choices: ${choices.join(', ')}`,
  );
}
