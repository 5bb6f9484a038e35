// `tenon conform`: its options. Everything behind them is loaded when the command runs, so that registering it
// costs nothing and `--list` loads no more than the list.
import type { Command } from 'commander';
import type { ConformFlags } from './command/flags.js';

const HELP = `
Examples:
  tenon conform -- node my-provider.js
  tenon conform --cases cases.yaml --html report.html -- ./my-provider
  tenon conform --only errors,EVT-* --cases cases.yaml -- ./my-provider
  tenon conform --explain RTY-01
  tenon conform init -- ./my-provider > cases.yaml
  tenon conform --kernel -- node my-kernel-adapter.js

Exit codes: 0 it conforms, 1 it does not, 2 it could not be tested.`;

/** Adds the command `conform` to a program. It ends by setting `process.exitCode` to 0, 1 or 2. */
export function registerConform(parent: Command): void {
  const command = parent
    .command('conform')
    .description('check a provider, or a kernel, against the requirements')
    .argument('[command...]', 'the program under test, after --')
    .option('--cases <file>', 'calls and what they should end in (YAML or JSON)')
    .option('--only <patterns>', 'checks, groups or requirements, with *; comma-separated', list)
    .option('--skip <patterns>', 'the same, to leave out', list)
    .option('--known-failing <file>', 'failures that do not fail the run, but must not pass')
    .option('--strict', 'warnings fail the run')
    .option('--complete', 'what is not reached fails the run')
    .option('--bail', 'stop at the first violation')
    .option('--timeout <ms>', 'for one call', '5000')
    .option('--seed <number>', 'makes generated arguments and moments the same again')
    .option(
      '--env <NAME=value>',
      'for the environment of the provider; may be repeated',
      collect,
      [],
    )
    .option('--no-tls', 'do not offer TLS in the checks that are not about it')
    .option('--kernel', 'the program is the adapter of a kernel, not a provider')
    .option('--report <kind=file>', 'junit, json, html or md; may be repeated', collect, [])
    .option('--no-color', 'no colours')
    .option('--list', 'list the checks and stop')
    .option('--explain <id>', 'what a requirement means, why it exists and how to satisfy it')
    .addHelpText('after', HELP)
    .action(async (words: string[], flags: ConformFlags) => {
      process.exitCode = await dispatch(words, flags);
    });
  command
    .command('init')
    .description("write a starter case file from a provider's schema to stdout")
    .argument('<command...>', 'the provider, after --')
    .option(
      '--env <NAME=value>',
      'for the environment of the provider; may be repeated',
      collect,
      [],
    )
    .action(async (words: string[], flags: { env: readonly string[] }) => {
      const { runInit } = await import('./command/init.js');
      process.exitCode = await runInit(words, flags.env);
    });
}

async function dispatch(words: readonly string[], flags: ConformFlags): Promise<number> {
  if (flags.list === true) return (await import('./command/list.js')).runList(flags);
  if (flags.explain !== undefined) {
    return (await import('./command/explain.js')).runExplain(flags.explain);
  }
  return (await import('./command/run.js')).runConform(words, flags);
}

const list = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').filter((part) => part !== ''),
];

const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];
