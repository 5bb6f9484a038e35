// The Approver of a person at a terminal: all items that are asked at the same time are on one screen
// (GATE-02, GATE-04), each with its own decision.
import type { ApprovalDecision, ApprovalRequest, Approver } from '@tenon/kernel';
import { compileValidator } from '@tenon/protocol';
import { createPrompter } from '../terminal/prompt.js';
import { sanitizeLine } from '../terminal/sanitize.js';
import type { Terminal } from '../terminal/terminal.js';
import { parseAnswer } from './answer.js';
import type { Choice } from './answer.js';
import { editArguments } from './edit.js';
import { answerQuestion } from './question.js';
import { approvalScreen, choicesLine } from './screen.js';

const BY = 'user';
const NOT_WANTED = 'no longer wanted: the call was cancelled';

interface Pending {
  readonly request: ApprovalRequest;
  readonly signal: AbortSignal;
  readonly settle: (decision: ApprovalDecision) => void;
  readonly fail: (error: unknown) => void;
  settled: boolean;
}

/**
 * Asks on the terminal. `pause` and `resume` stop and go on with live output while a question is open.
 */
export function createTerminalApprover(
  terminal: Terminal,
  display: { pause(): void; resume(): void } = { pause() {}, resume() {} },
): Approver {
  const prompter = createPrompter(terminal);
  let waiting: Pending[] = [];
  // Screens and questions take turns.
  let turn: Promise<void> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(async () => {
      display.pause();
      try {
        return await work();
      } finally {
        display.resume();
      }
    });
    // The next in line does not care how this one went; its caller gets the rejection.
    turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  async function screen(): Promise<void> {
    // All items of a plan are asked for in the same moment; they have arrived by the next one.
    await new Promise((resolve) => setImmediate(resolve));
    const items = waiting.filter((item) => !item.settled);
    waiting = [];
    try {
      await askAll(items);
    } catch (error) {
      for (const item of items) item.fail(error);
    }
  }

  async function askAll(items: readonly Pending[]): Promise<void> {
    if (items.length === 0) return;
    await prompter.discardTypedAhead();
    let everything = false;
    for (;;) {
      const open = items.filter((item) => !item.settled);
      if (open.length === 0) return;
      const shown = approvalScreen(
        open.map((item) => item.request),
        {
          width: terminal.width(),
          rows: everything ? undefined : terminal.height(),
          color: terminal.errColor,
        },
      );
      terminal.stderr.write(shown.text);
      const answers = await askChoices(open, shown.shortened);
      if (answers === 'view') {
        everything = true;
        continue;
      }
      for (const [index, choice] of answers) {
        const item = open[index];
        if (item !== undefined) await apply(item, choice);
      }
    }
  }

  async function askChoices(
    open: readonly Pending[],
    shortened: boolean,
  ): Promise<ReadonlyMap<number, Choice> | 'view'> {
    const indexes = [...open.keys()];
    const signal = whenAllAborted(open.map((item) => item.signal));
    terminal.stderr.write(`${terminal.err('bold', choicesLine(open.length, shortened))}\n`);
    for (;;) {
      const line = await prompter.ask('> ', { signal });
      if (line === undefined) {
        const reason = signal.aborted ? NOT_WANTED : 'the input ended without a decision';
        return new Map(indexes.map((index) => [index, { type: 'deny', reason }]));
      }
      const answer = parseAnswer(line, indexes);
      if (answer.type === 'choices') return answer.choices;
      if (answer.type === 'view') return 'view';
      terminal.stderr.write(
        `${terminal.err('red', sanitizeLine(answer.message))}\n${choicesLine(open.length, shortened)}\n`,
      );
    }
  }

  async function apply(item: Pending, choice: Choice): Promise<void> {
    if (choice.type === 'allow') {
      item.settle({ action: 'allow', scope: choice.scope, by: BY });
    } else if (choice.type === 'deny') {
      const reason = choice.reason === '' ? 'the user denied it' : choice.reason;
      item.settle({ action: 'deny', scope: 'once', reason, by: BY });
    } else {
      const validate = compileValidator(item.request.input);
      const edited = await editArguments(item.request.item.input, {
        terminal,
        prompter,
        signal: item.signal,
        check: (args) =>
          validate(args).map(
            ({ pointer, message }) => `${pointer === '' ? '' : `${pointer}: `}${message}`,
          ),
      });
      // Giving up on the edit leaves the item open: it is shown again.
      if (edited !== undefined) {
        item.settle({ action: 'allow', scope: 'once', arguments: edited, by: BY });
      }
    }
  }

  return {
    decide(request, { signal }) {
      return new Promise((resolve, reject) => {
        const item: Pending = {
          request,
          signal,
          settled: false,
          settle(decision) {
            item.settled = true;
            resolve(decision);
          },
          fail(error) {
            item.settled = true;
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        };
        const withdraw = (): void =>
          item.settle({ action: 'deny', scope: 'once', reason: NOT_WANTED, by: BY });
        if (signal.aborted) {
          withdraw();
          return;
        }
        signal.addEventListener('abort', withdraw, { once: true });
        waiting.push(item);
        if (waiting.length === 1) inTurn(screen).catch(item.fail);
      });
    },
    answer(question, { signal }) {
      return inTurn(async () => {
        await prompter.discardTypedAhead();
        return answerQuestion(question, { terminal, prompter, signal });
      });
    },
  };
}

/** Aborts when every one of the signals has. */
function whenAllAborted(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController();
  let left = signals.length;
  for (const signal of signals) {
    const count = (): void => {
      left -= 1;
      if (left === 0) all.abort();
    };
    if (signal.aborted) count();
    else signal.addEventListener('abort', count, { once: true });
  }
  return all.signal;
}
