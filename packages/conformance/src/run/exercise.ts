// Runs through all cases once, and calls each read that no case covers with generated arguments. The recordings
// are what many checks judge: errors, events, payloads, paths.
import { readdirSync } from 'node:fs';
import type { JsonObject, Operation } from '@tenon/protocol';
import { generateArguments, mutations } from '../arguments/generate.js';
import type { ProviderCase } from '../cases/model.js';
import type { RunningProvider } from '../probe/provider.js';
import { isTerminal, type Recording } from '../probe/stream.js';
import { within } from '../probe/wait.js';
import { invocation, operationOf } from './invocation.js';
import type { Exercise, Exercised, RunContext, Survey } from './model.js';

// When the other call has said nothing by then, it is taken to run.
const OTHER_STARTS_MS = 150;

export async function exerciseCases(run: RunContext): Promise<Exercise> {
  const survey = await run.survey();
  const calls: Exercised[] = [];
  const skipped: { case: ProviderCase; reason: string }[] = [];
  for (const one of run.cases.cases) {
    if (one.longRunning) continue;
    const reason = reasonToSkip(run, survey, one);
    if (reason !== undefined) skipped.push({ case: one, reason });
    else calls.push(...(await runCase(run, survey, one)));
  }
  const covered = new Set(run.cases.cases.map((one) => one.operation));
  for (const operation of survey.schema.operations) {
    if (operation.kind !== 'data_source' || covered.has(operation.name)) continue;
    calls.push(...(await runGenerated(run, operation)));
  }
  return { calls, skipped };
}

/** Why a case cannot be run; undefined when it can. */
export function reasonToSkip(
  run: RunContext,
  survey: Survey,
  one: ProviderCase,
): string | undefined {
  const names = [
    one.operation,
    ...(one.whileRunning === undefined ? [] : [one.whileRunning.operation]),
  ];
  for (const name of names) {
    const kind = operationOf(survey, name)?.kind;
    if (kind === 'interactive') return `${name} is interactive: the kernel asks the person itself`;
    if (kind === 'resource' && !run.cases.runResources) {
      return `${name} is a resource; set run_resources: true in the case file to let the kit call it in a throw-away directory`;
    }
  }
  return undefined;
}

async function runCase(run: RunContext, survey: Survey, one: ProviderCase): Promise<Exercised[]> {
  const directory = run.workspaces.fresh();
  const own = one.config !== undefined;
  const provider = own
    ? await run.startConfigured({
        ...survey.config.config,
        ...inDirectory(one.config ?? {}, directory),
      })
    : await run.shared();
  try {
    const other = await startOther(run, provider, one, directory);
    const recording = await callIn(
      run,
      provider,
      one.operation,
      inDirectory(one.arguments, directory),
      directory,
    );
    const calls = [exercised(run, survey, one, recording)];
    await other?.end();
    return calls;
  } finally {
    if (own) await provider.dispose();
  }
}

/** Arguments and settings may name the working directory of the call as `{workdir}`. */
export function inDirectory(value: JsonObject, directory: string): JsonObject {
  const quotedPath = JSON.stringify(directory).slice(1, -1);
  return JSON.parse(JSON.stringify(value).replaceAll('{workdir}', quotedPath)) as JsonObject;
}

async function startOther(
  run: RunContext,
  provider: RunningProvider,
  one: ProviderCase,
  directory: string,
): Promise<{ end(): Promise<void> } | undefined> {
  if (one.whileRunning === undefined) return undefined;
  const { operation, arguments: args } = one.whileRunning;
  const abort = new AbortController();
  let begun = (): void => {};
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const recording = provider.invoke(
    invocation(operation, inDirectory(args, directory), directory),
    { timeoutMs: run.timeoutMs * 2, signal: abort.signal, onEvent: () => begun() },
  );
  await within(Promise.race([first, recording]), OTHER_STARTS_MS);
  return {
    end: async () => {
      abort.abort();
      await recording;
    },
  };
}

// A valid call, and one that breaks the schema, so that there is an error to look at.
async function runGenerated(run: RunContext, operation: Operation): Promise<Exercised[]> {
  const valid = generatedFor(run, operation);
  const [broken] = mutations(operation.input, valid);
  const calls: Exercised[] = [];
  for (const args of [valid, ...(broken === undefined ? [] : [broken.arguments])]) {
    const directory = run.workspaces.fresh();
    const recording = await callIn(run, await run.shared(), operation.name, args, directory);
    calls.push({ case: undefined, operation, recording, strays: strays(run) });
  }
  return calls;
}

/** Whether calls of an operation end by themselves, as far as the cases say: not all of them are long-running. */
export function endsByItself(run: RunContext, { name }: Operation): boolean {
  const cases = run.cases.cases.filter((one) => one.operation === name);
  return cases.length === 0 || cases.some((one) => !one.longRunning);
}

/** Valid arguments of an operation: those of its first case that ends in a result, or generated ones. */
export function validArguments(run: RunContext, operation: Operation): JsonObject {
  const known = run.cases.cases.find(
    (one) =>
      one.operation === operation.name &&
      one.expect.type === 'result' &&
      !one.longRunning &&
      one.config === undefined,
  );
  // What a case says is better than a guess, also where it ends in a failure: its arguments are still valid ones.
  const failing = run.cases.cases.find(
    (one) =>
      one.operation === operation.name &&
      one.expect.type === 'error' &&
      one.expect.category !== 'invalid_arguments' &&
      !one.longRunning &&
      one.config === undefined,
  );
  return known?.arguments ?? failing?.arguments ?? generatedFor(run, operation);
}

function generatedFor(run: RunContext, operation: Operation): JsonObject {
  const files = run.cases.fixtures.flatMap((fixture) =>
    fixture.kind === 'file' ? fixture.path : [],
  );
  return generateArguments(operation.input, run.random(`arguments of ${operation.name}`), {
    files: files.length > 0 ? files : ['conformance.txt'],
  });
}

/** Makes a call and stops it a moment after its end, so that what follows the end is seen. */
export async function callIn(
  run: RunContext,
  provider: RunningProvider,
  operation: string,
  args: JsonObject,
  directory: string,
): Promise<Recording> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const recording = await provider.invoke(invocation(operation, args, directory), {
    timeoutMs: run.timeoutMs,
    signal: abort.signal,
    onEvent: (event) => {
      if (isTerminal(event)) timer ??= setTimeout(() => abort.abort(), AFTER_END_MS);
    },
  });
  clearTimeout(timer);
  return recording;
}

// A provider that does not close its stream after the end is given this long.
const AFTER_END_MS = 1_000;

function exercised(
  run: RunContext,
  survey: Survey,
  one: ProviderCase,
  recording: Recording,
): Exercised {
  return {
    case: one,
    operation: operationOf(survey, one.operation),
    recording,
    strays: strays(run),
  };
}

function strays(run: RunContext): string[] {
  return readdirSync(run.home);
}
