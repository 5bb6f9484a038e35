// `tenon lock`: writes down what each provider is made of now; `--check` says whether it still is.
import { makeLockFile, readLockFile, writeLockFile } from '@tenon/kernel';
import type { Kernel, KernelConfig, LockFile, LockInput } from '@tenon/kernel';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { readConfig, withKernel } from '../kernel/open.js';
import { providerProblems } from '../kernel/listing.js';
import { paint } from '../paint/paint.js';
import { sanitize, sanitizeLine } from '../terminal/sanitize.js';

interface Options {
  readonly config?: string;
  readonly check?: boolean;
}

/** Exit code 1 when a provider cannot be locked, or, with --check, is not what was locked. */
export async function run(context: Context, options: Options): Promise<ExitCode> {
  const config = await readConfig(context, options);
  const { lockPath } = config;
  if (lockPath === undefined) throw new UsageError(['this configuration has no lock file']);
  const before = await readLockFile(lockPath);
  return options.check === true
    ? check(context, config, before)
    : write(context, config, lockPath, before);
}

/** Providers that differ are refused before they run; those that do not are started and stopped again. */
async function check(
  context: Context,
  config: KernelConfig,
  before: LockFile | undefined,
): Promise<ExitCode> {
  if (before === undefined)
    throw new UsageError(['there is no lock file yet; "tenon lock" writes it']);
  return withKernel(context, withoutJournal(config), {}, async (kernel) => {
    const problems = providerProblems(kernel);
    report(context, problems);
    if (problems.length > 0) return EXIT.toolError;
    context.terminal.stdout.write('Every provider is what was locked.\n');
    return EXIT.ok;
  });
}

async function write(
  context: Context,
  config: KernelConfig,
  lockPath: string,
  before: LockFile | undefined,
): Promise<ExitCode> {
  const { terminal } = context;
  // What is to be locked has to run once, to say its version; the lock that is there would refuse it.
  const { lockPath: _, ...unlocked } = withoutJournal(config);
  return withKernel(context, unlocked, {}, async (kernel) => {
    const problems = kernel
      .providers()
      .flatMap(({ name, problem }) =>
        problem === undefined ? [] : [`provider ${name}: ${problem}`],
      );
    report(context, problems);
    if (problems.length > 0) {
      terminal.stderr.write('Nothing was written: every provider has to start.\n');
      return EXIT.toolError;
    }
    const lock = await makeLockFile(inputs(config, kernel), before);
    await writeLockFile(lockPath, lock);
    const root = {
      type: 'table',
      headers: ['PROVIDER', 'VERSION', 'SOURCE', ''],
      rows: lock.providers.map((provider) => [
        provider.name,
        provider.version,
        provider.source,
        standing(provider.name, lock, before),
      ]),
    } as const;
    terminal.stdout.write(paint({ root }, { width: terminal.width(), color: terminal.outColor }));
    terminal.stdout.write(`Wrote ${sanitizeLine(lockPath)}.\n`);
    return EXIT.ok;
  });
}

function inputs(config: KernelConfig, kernel: Kernel): LockInput[] {
  return config.providers.flatMap((provider) => {
    const status = kernel.providers().find((candidate) => candidate.name === provider.name);
    const identity = status?.identity;
    return identity === undefined ? [] : [{ config: provider, identity }];
  });
}

function standing(name: string, lock: LockFile, before: LockFile | undefined): string {
  const now = lock.providers.find((provider) => provider.name === name);
  const old = before?.providers.find((provider) => provider.name === name);
  if (old === undefined) return 'new';
  return JSON.stringify(old) === JSON.stringify(now) ? 'unchanged' : 'changed';
}

function withoutJournal(config: KernelConfig): KernelConfig {
  return { ...config, settings: { ...config.settings, journalPath: ':memory:' } };
}

function report({ terminal }: Context, problems: readonly string[]): void {
  for (const problem of problems) {
    terminal.stderr.write(`${terminal.err('red', '✖')} ${sanitize(problem)}\n`);
  }
}
