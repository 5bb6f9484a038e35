// The commands and their options, as commander sees them. A command's code is loaded when it runs, from
// commands/ by its name.
import { Command, Option } from 'commander';
import type { Context } from './context.js';
import type { ExitCode } from './errors.js';
import { addKernelOptions } from './options.js';

const VERSION = '0.1.0';

const APIS = ['anthropic', 'openai', 'mcp'];
const ALLOW_HELP = 'allow operations by name, such as "filesystem.*", instead of asking';

const EXIT_CODES = `
Exit codes:
  0    done
  1    the tool failed, or a check found something
  2    the command or the configuration is wrong; nothing ran
  3    denied by a policy, a hook, a person or an open breaker
  130  cancelled (Ctrl-C)`;

/**
 * Builds the command line.
 * @param words what will be parsed; `conform` alone loads the conformance kit for its options
 * @param exit is told the exit code of the command that ran
 */
export async function buildProgram(
  context: Context,
  words: readonly string[],
  exit: (code: ExitCode) => void,
): Promise<Command> {
  const program = new Command('tenon')
    .description(
      'Runs the tools of AI agents: isolated providers, a plan and an approval before anything changes, and a journal of what happened.',
    )
    .version(VERSION)
    .addHelpText('after', EXIT_CODES)
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for what there is)')
    .exitOverride();

  program
    .command('quickstart')
    .description('show it at work on a small project of its own')
    .option('--keep', 'leave the project where it is')
    .action(async (options) =>
      exit(await (await import('./commands/quickstart.js')).run(context, options)),
    );

  addKernelOptions(
    program
      .command('call')
      .description('run one operation: tenon call filesystem.read_file --path README.md')
      .argument('[operation]', 'provider.operation')
      .argument(
        '[arguments...]',
        'its flags, JSON such as \'{"path": "x"}\', @FILE, or - for standard input',
      )
      .passThroughOptions()
      .allowUnknownOption()
      .helpOption(false)
      .option('-h, --help', 'this help; after an operation, the flags of that operation'),
  )
    .option('-y, --yes', 'allow whatever would be asked')
    .option('--allow <pattern>', ALLOW_HELP, collect)
    .option('--timeout <duration>', 'end the call after this long, such as 30s or 2m')
    .option('--json', 'print what happens as one JSON object per line')
    .option('-v, --verbose', 'show what the provider processes print')
    .addHelpText(
      'after',
      `\nFlags of an operation come from its input schema: tenon call OPERATION --help${EXIT_CODES}`,
    )
    .action(async (operation, words_, options, command) =>
      exit(
        await (await import('./commands/call.js')).run(
          context,
          operation,
          words_,
          options,
          command,
        ),
      ),
    );

  addKernelOptions(
    program
      .command('turn')
      .description('run all calls of one model message, with one approval screen')
      .argument('[file]', 'JSON with the calls; standard input without it, or with -'),
  )
    .option('-y, --yes', 'allow whatever would be asked')
    .option('--allow <pattern>', ALLOW_HELP, collect)
    .option('--timeout <duration>', 'end each call after this long')
    .option('--plan', 'plan mode: operations that change something are refused')
    .addOption(
      new Option('--results <api>', 'print the tool results as a model API wants them').choices(
        APIS,
      ),
    )
    .option('--json', 'print what happens as one JSON object per line')
    .option('-v, --verbose', 'show what the provider processes print')
    .addHelpText('after', EXIT_CODES)
    .action(async (file, options) =>
      exit(await (await import('./commands/turn.js')).run(context, file, options)),
    );

  addKernelOptions(program.command('operations').description('list what can be called'))
    .option('--json', 'one JSON object per line')
    .addOption(
      new Option('--tools <api>', 'the tools as a model API wants to be offered them').choices(
        APIS,
      ),
    )
    .action(async (options) =>
      exit(await (await import('./commands/operations.js')).run(context, options)),
    );

  addKernelOptions(
    program
      .command('describe')
      .description('everything about one operation, or about one provider')
      .argument('<name>', 'provider.operation, or provider'),
  )
    .option('--json', 'as JSON')
    .action(async (name, options) =>
      exit(await (await import('./commands/describe.js')).run(context, name, options)),
    );

  program
    .command('init')
    .description('write a commented agent.hcl here')
    .argument('[folder]', 'where to', '.')
    .option('--force', 'replace one that is there')
    .action(async (folder, options) =>
      exit(await (await import('./commands/init.js')).run(context, folder, options)),
    );

  addJournalOptions(
    program.command('log').description('what ran, when, decided by whom, with what outcome'),
  )
    .option('--session <id>', 'of one session')
    .option('--turn <id>', 'of one turn')
    .option('--provider <name>', 'of one provider')
    .option('--operation <name>', 'of one operation')
    .option(
      '--status <status>',
      'ok, error, denied, cancelled, running, outcome_unknown or not_run',
    )
    .option('--since <when>', 'a duration such as 10m, or a date')
    .option('-n, --limit <count>', 'the newest so many', '50')
    .option('-f, --follow', 'go on with what happens from now')
    .option('--sessions', 'list the sessions instead of the calls')
    .option('--json', 'one JSON object per line')
    .action(async (options) =>
      exit(await (await import('./commands/log.js')).run(context, options)),
    );

  addJournalOptions(
    program
      .command('show')
      .description('everything about one call')
      .argument('<call>', 'its id, or the end of it'),
  )
    .option('--json', 'one JSON object per journal entry')
    .action(async (id, options) =>
      exit(await (await import('./commands/show.js')).run(context, id, options)),
    );

  addJournalOptions(
    program
      .command('replay')
      .description('show the history of a session again, as its providers render it')
      .argument('[session]', 'its id, or the end of it; the newest without it'),
  )
    .option('--no-render', 'do not start providers for rendering')
    .action(async (id, options) =>
      exit(await (await import('./commands/replay.js')).run(context, id, options)),
    );

  addJournalOptions(
    program
      .command('export')
      .description('write journal entries as JSON lines')
      .argument('[session]', 'one session; all without it'),
  ).action(async (id, options) =>
    exit(await (await import('./commands/export.js')).run(context, id, options)),
  );

  addJournalOptions(program.command('prune').description('remove old sessions from the journal'))
    .option('--older-than <duration>', 'sessions without anything new for this long, such as 30d')
    .option('--keep <count>', 'keep this many of the newest, however old')
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .action(async (options) =>
      exit(await (await import('./commands/prune.js')).run(context, options)),
    );

  program
    .command('lock')
    .description("write down the checksums of the providers' programs")
    .option('-c, --config <path>', 'agent.hcl or agent.json; searched upwards from here by default')
    .option('--check', 'only say whether they are still what was locked')
    .action(async (options) =>
      exit(await (await import('./commands/lock.js')).run(context, options)),
    );

  const policy = program
    .command('policy')
    .description('check and explain the policies')
    .enablePositionalOptions();
  addKernelOptions(
    policy
      .command('test')
      .description('which decision each operation gets; conflicts and rules without effect')
      .argument(
        '[file]',
        'JSON with cases: [{ "name", "arguments", "expect": "allow" | "ask" | "deny" }]',
      ),
  )
    .option('--json', 'one JSON object per line')
    .action(async (file, options) =>
      exit(await (await import('./commands/policy-test.js')).run(context, file, options)),
    );
  addKernelOptions(
    policy
      .command('explain')
      .description('which rule decides about a call, and why the others do not')
      .argument('<operation>', 'provider.operation')
      .argument('[arguments...]', 'as for tenon call')
      .passThroughOptions()
      .allowUnknownOption(),
  )
    .option('--json', 'as JSON')
    .action(async (operation, args, options, command) =>
      exit(
        await (await import('./commands/policy-explain.js')).run(
          context,
          operation,
          args,
          options,
          command,
        ),
      ),
    );

  program
    .command('new')
    .description('make something to start from')
    .command('provider')
    .description(
      'a provider with a test, a case file and a CI workflow, which passes the conformance kit',
    )
    .argument('<folder>', 'a new folder; its name is the name of the package')
    .addOption(
      new Option('--language <language>', 'what it is written in')
        .choices(['typescript', 'python'])
        .default('typescript'),
    )
    .action(async (folder, options) =>
      exit(await (await import('./commands/new-provider.js')).run(context, folder, options)),
    );

  await addConform(program, words);
  return program;
}

/** The kit brings its own options; they are loaded when the command is the one that runs. */
async function addConform(program: Command, words: readonly string[]): Promise<void> {
  if (words.includes('conform')) {
    const { registerConform } = await import('@tenon/conformance');
    registerConform(program);
  } else {
    program.command('conform').description('check a provider against the requirements');
  }
}

/** For options that may be repeated. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The journal is found by the configuration, or given. */
function addJournalOptions(command: Command): Command {
  return command
    .option('-c, --config <path>', 'agent.hcl or agent.json; searched upwards from here by default')
    .option('--journal <path>', 'the journal file itself');
}
