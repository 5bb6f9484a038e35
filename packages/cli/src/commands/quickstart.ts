// `tenon quickstart` (npm start): tool calls on a real project, one after the other, as a person would make
// them, with a word on what each one shows.
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CallOutcome, Kernel, KernelObserver, Session } from '@tenon/kernel';
import type { JsonObject } from '@tenon/protocol';
import { chooseApprover } from '../approve/choose.js';
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { callsTable } from '../journal/table.js';
import { readConfig, withKernel } from '../kernel/open.js';
import { createLiveDisplay } from '../output/live.js';
import type { LiveDisplay } from '../output/live.js';
import { writeOutcome } from '../output/outcome.js';
import { writePlans } from '../output/plan.js';
import { paint } from '../paint/paint.js';
import { makeProject } from '../quickstart/project.js';
import type { Project } from '../quickstart/project.js';
import { wrap } from '../terminal/width.js';

interface Options {
  readonly keep?: boolean;
}

interface Step {
  readonly title: string;
  readonly operation: string;
  readonly args: JsonObject;
  /** What the call is there to show. */
  readonly shows: string;
  /** How it has to end for the quickstart to have worked; a person may deny an edit. */
  readonly expected: readonly CallOutcome['status'][];
}

/** Exit code 1 when a step did not end as it should. */
export async function run(context: Context, options: Options): Promise<ExitCode> {
  const { terminal } = context;
  // Both streams in one, so that the story stays in order when it goes to a file.
  const told = terminal.interactive
    ? context
    : { ...context, terminal: { ...terminal, stderr: terminal.stdout, err: terminal.out } };
  const project = await makeProject(terminal.interactive ? 'ask' : 'allow');
  const keep = options.keep === true || terminal.interactive;
  try {
    return await show(told, project, keep);
  } finally {
    if (!keep) await rm(project.folder, { recursive: true, force: true });
  }
}

async function show(context: Context, project: Project, keep: boolean): Promise<ExitCode> {
  const { terminal, signal } = context;
  const say = speaker(context);
  say(
    `Tenon runs the tools of AI agents. Here are five calls on a small project in ${project.folder}:`,
  );
  say(
    'each goes through a provider, which is a process of its own with no environment but what it is given;',
  );
  say('what changes something is planned first, and decided.');
  const config = await readConfig(context, { config: project.config });
  const display = createLiveDisplay(terminal, { verbose: true, labels: false });
  const approver = chooseApprover(terminal, {}, display);
  // What the kernel logs repeats what the outcomes below say.
  const observer: KernelObserver = (event) =>
    event.type === 'log' && event.provider === 'kernel' ? undefined : display.observer(event);
  return withKernel(context, config, { observer, approver }, async (kernel) => {
    const session = await kernel.openSession({ workingDirectory: project.folder });
    let worked = true;
    for (const [index, step] of steps(project, terminal.interactive).entries()) {
      if (signal.aborted) break;
      worked =
        (await runStep(context, kernel, session, index + 1, step, display, approver.asked)) &&
        worked;
    }
    await session.end(signal.aborted ? 'cancelled' : 'completed');
    await printFile(context, project);
    printJournal(context, kernel, session);
    if (signal.aborted) return EXIT.cancelled;
    printNextSteps(context, project, keep);
    return worked ? EXIT.ok : EXIT.toolError;
  });
}

function steps({ folder }: Project, interactive: boolean): readonly Step[] {
  const edit = interactive
    ? 'The policy "edits" says ask: this is the plan. Nothing is written before you decide.'
    : 'There is no terminal to ask on, so the policy of this project allows the edit.';
  return [
    {
      title: 'List the project',
      operation: 'list_directory',
      args: { path: '.' },
      shows: 'Reading is a data_source call: no plan, no question.',
      expected: ['ok'],
    },
    {
      title: 'Read a file',
      operation: 'read_file',
      args: { path: 'src/greet.js' },
      shows: 'Relative paths start from the folder of the session.',
      expected: ['ok'],
    },
    {
      title: 'An edit that is ambiguous',
      operation: 'edit_file',
      args: { path: 'src/greet.js', old: ", ' + name", new: ", ' + name + '!'" },
      shows: `${edit} The text stands in the file twice, so the provider refuses and says where.`,
      expected: ['error', 'denied'],
    },
    {
      title: 'The edit, corrected',
      operation: 'edit_file',
      args: {
        path: 'src/greet.js',
        old: "return 'Hello, ' + name",
        new: "return 'Hello, ' + name + '!'",
      },
      shows: edit,
      expected: ['ok', 'denied'],
    },
    {
      title: 'A write outside of the project',
      operation: 'write_file',
      args: { path: join(dirname(folder), 'tenon-outside.txt'), content: 'out of bounds\n' },
      shows:
        'The policy "writes" allows it. The provider still refuses: its roots end at this project.',
      expected: ['error'],
    },
  ];
}

async function runStep(
  context: Context,
  kernel: Kernel,
  session: Session,
  number: number,
  step: Step,
  display: LiveDisplay,
  asked: ReadonlySet<string>,
): Promise<boolean> {
  const { terminal, signal } = context;
  const say = speaker(context);
  const name = `filesystem.${step.operation}`;
  terminal.stdout.write(`\n${terminal.out('bold', `${number}. ${step.title}`)}\n`);
  say(step.shows, 'dim');
  terminal.stdout.write(`${terminal.out('cyan', `▶ ${name} ${JSON.stringify(step.args)}`)}\n`);
  const outcome = await session.call({ name, arguments: step.args }, { signal });
  await writePlans(kernel.journal, [outcome.callId], asked, terminal);
  writeOutcome(outcome, terminal, display.shown(outcome.callId));
  const expected = step.expected.includes(outcome.status) || outcome.status === 'cancelled';
  if (!expected) {
    terminal.stderr.write(
      `${terminal.err('red', `✖ this should have ended as ${step.expected.join(' or ')}`)}\n`,
    );
  }
  return expected;
}

async function printFile({ terminal }: Context, { folder }: Project): Promise<void> {
  const content = await readFile(join(folder, 'src', 'greet.js'), 'utf8');
  const root = {
    type: 'code_block',
    language: 'src/greet.js, as it is on disk now',
    content,
  } as const;
  terminal.stdout.write(
    `\n${paint({ root }, { width: terminal.width(), color: terminal.outColor })}`,
  );
}

function printJournal({ terminal }: Context, kernel: Kernel, session: Session): void {
  terminal.stdout.write(`\n${terminal.out('bold', 'The journal of it')}\n`);
  const root = callsTable(kernel.journal.calls({ sessionId: session.id }), {
    width: terminal.width(),
  });
  terminal.stdout.write(paint({ root }, { width: terminal.width(), color: terminal.outColor }));
}

function printNextSteps({ terminal }: Context, { folder }: Project, keep: boolean): void {
  const command = terminal.out.bind(undefined, 'cyan');
  const lines = [
    '',
    terminal.out('bold', 'Next'),
    `  ${command('tenon init')}                        writes an agent.hcl for a project of yours`,
    `  ${command('tenon call filesystem.read_file --path README.md')}   runs one call there`,
    `  ${command('tenon log')}                         says what ran, and who decided`,
    '',
    'In this checkout "tenon" is: node packages/cli/bin/tenon.js',
    keep
      ? `The project stays in ${folder}: try the commands there, or delete it.`
      : 'The project has been removed again; --keep leaves it.',
  ];
  for (const line of lines) terminal.stdout.write(`${line}\n`);
}

function speaker({ terminal }: Context): (text: string, style?: 'dim') => void {
  return (text, style) => {
    for (const line of wrap(text, terminal.width())) {
      terminal.stdout.write(`${style === undefined ? line : terminal.out(style, line)}\n`);
    }
  };
}
