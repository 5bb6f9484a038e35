// `tenon turn`: all calls of one model message, with the order, the plan and the results of a turn.
import { toAnthropicToolResults, toMcpToolResults, toOpenAIToolMessages } from '@tenon/kernel';
import type { CallOutcome, TurnEnd } from '@tenon/kernel';
import { chooseApprover } from '../approve/choose.js';
import { readCalls } from '../arguments/calls.js';
import { readJson } from '../arguments/sources.js';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { readConfig, withKernel, workingDirectory } from '../kernel/open.js';
import { parseDuration } from '../options.js';
import type { KernelOptionValues } from '../options.js';
import { createJsonEvents } from '../output/json-events.js';
import { createLiveDisplay } from '../output/live.js';
import { exitCodeOf, writeOutcome } from '../output/outcome.js';
import { writePlans } from '../output/plan.js';
import { sanitize, sanitizeLine } from '../terminal/sanitize.js';

/** The results as each model API wants them in its next request. */
const RESULTS = {
  anthropic: toAnthropicToolResults,
  openai: toOpenAIToolMessages,
  mcp: toMcpToolResults,
} as const;

interface Options extends KernelOptionValues {
  readonly yes?: boolean;
  readonly allow?: readonly string[];
  readonly timeout?: string;
  readonly plan?: boolean;
  readonly results?: keyof typeof RESULTS;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

export async function run(
  context: Context,
  file: string | undefined,
  options: Options,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const timeoutMs =
    options.timeout === undefined ? undefined : parseDuration(options.timeout, '--timeout');
  const source = file === undefined || file === '-' ? '-' : `@${file}`;
  const read = readCalls(await readJson(source, terminal.stdin));
  if (!read.ok)
    throw new UsageError(read.problems.map((problem) => `${file ?? 'stdin'}: ${problem}`));
  const config = await readConfig(context, options);
  const display = createLiveDisplay(terminal, {
    verbose: options.verbose === true,
    labels: read.calls.length > 1,
  });
  const json = options.json === true ? createJsonEvents(terminal.stdout) : undefined;
  const observer = json?.observer ?? display.observer;
  return withKernel(context, config, { observer }, async (kernel) => {
    const session = await kernel.openSession({
      workingDirectory: workingDirectory(options),
      planMode: options.plan === true,
    });
    const approver = chooseApprover(terminal, options, display);
    const turn = await session.runTurn(read.calls, {
      signal,
      approver,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    display.end();
    if (options.results !== undefined) {
      const results = RESULTS[options.results](read.calls, turn);
      terminal.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
    }
    for (const [index, outcome] of options.results === undefined ? turn.outcomes.entries() : []) {
      if (json === undefined) {
        const name = sanitizeLine(`${outcome.provider}.${outcome.operation}`);
        terminal.stdout.write(`${terminal.out('bold', `── ${index + 1}. ${name}`)}\n`);
        await writePlans(kernel.journal, [outcome.callId], approver.asked, terminal);
        writeOutcome(outcome, terminal, display.shown(outcome.callId));
      } else json.outcome(outcome);
    }
    if (json === undefined) writeEnd(turn.end, context);
    else json.turnEnd(turn.turnId, turn.end);
    await session.end(signal.aborted ? 'cancelled' : 'completed');
    return exitCodeOfTurn(turn.outcomes, turn.end);
  });
}

/** The gravest of the calls' own codes; 130 for a turn that was aborted. */
function exitCodeOfTurn(outcomes: readonly CallOutcome[], end: TurnEnd): ExitCode {
  if (end.reason === 'aborted') return EXIT.cancelled;
  const codes = new Set(outcomes.map(exitCodeOf));
  for (const code of [EXIT.cancelled, EXIT.denied, EXIT.toolError]) {
    if (codes.has(code)) return code;
  }
  return end.reason === 'doom_loop' || end.reason === 'bound' ? EXIT.toolError : EXIT.ok;
}

function writeEnd(end: TurnEnd, { terminal }: Context): void {
  if (end.reason === 'continue') return;
  const message = 'message' in end ? `: ${end.message}` : '';
  terminal.stderr.write(
    `${terminal.err('yellow', sanitize(`the turn ended (${end.reason.replace('_', ' ')})${message}`))}\n`,
  );
}
