// Makes what checks may use. One context per run; the parts that cost something (the first launch, the run through
// all cases) are made once, when first asked for.
import { decodeMessage, type JsonObject, providerSchemaFromWire, toolV1 } from '@tenon/protocol';
import { createWorkspaces, DEFAULT_FIXTURES } from '../cases/workspace.js';
import { describeStatus } from '../probe/connection.js';
import { type RunningProvider, startProvider } from '../probe/provider.js';
import { spawnProvider } from '../probe/provider-process.js';
import { createTranscript } from '../probe/transcript.js';
import { exerciseCases } from './exercise.js';
import {
  type CheckContext,
  type ContextOptions,
  type RunContext,
  type Survey,
  Unreached,
} from './model.js';
import { random } from './random.js';
import { planConfig } from './settings.js';

export function createRunContext(options: ContextOptions): RunContext {
  const { cases, timeoutMs } = options;
  const transcript = createTranscript();
  const workspaces = createWorkspaces(
    cases.fixtures.length > 0 ? cases.fixtures : DEFAULT_FIXTURES,
  );
  const home = workspaces.empty();
  const started = new Set<RunningProvider>();
  const start: RunContext['start'] = async (extra = {}) => {
    const running = await startProvider(options.target, {
      tls: options.tls,
      cwd: home,
      transcript,
      startTimeoutMs: timeoutMs * 3,
      ...extra,
    });
    started.add(running);
    return running;
  };
  // The process that was asked for its schema serves on as the shared one: a launch is what costs most.
  let surveyed: RunningProvider | undefined;
  const survey = once(async () => {
    surveyed = await start();
    return surveyOf(surveyed, options);
  });
  const configured = async (
    running: RunningProvider,
    config: JsonObject | undefined,
  ): Promise<RunningProvider> => {
    const { config: planned } = await survey();
    const answer = await running.configure(config ?? planned.config, timeoutMs);
    if (answer.ok) return running;
    await running.dispose();
    throw new Unreached(
      `Configure refused the configuration ${JSON.stringify(config ?? planned.shown)}: ` +
        `${describeStatus(answer.status)}; give a working one as "config" in the case file`,
    );
  };
  const startConfigured: RunContext['startConfigured'] = async (config) => {
    await survey();
    return configured(await start(), config);
  };
  const startShared = async (): Promise<RunningProvider> => {
    await survey();
    const first = surveyed?.process.exit === undefined ? surveyed : undefined;
    surveyed = undefined;
    return configured(first ?? (await start()), undefined);
  };
  let sharing: Promise<RunningProvider> | undefined;
  const context: RunContext = {
    options,
    cases,
    timeoutMs,
    transcript,
    workspaces,
    home,
    random: (name) => random(options.seed, name),
    survey,
    shared: async () => {
      const before = sharing;
      const alive = await before?.then(
        (running) => running.process.exit === undefined,
        () => true,
      );
      // Only the first that finds it dead starts another.
      if (alive !== true && sharing === before) sharing = startShared();
      if (sharing === undefined) throw new Error('no provider is shared');
      return sharing;
    },
    exercise: once(() => exerciseCases(context)),
    start,
    startConfigured,
    dispose: async () => {
      await Promise.all([...started].map((running) => running.dispose()));
      workspaces.dispose();
    },
  };
  return context;
}

async function surveyOf(running: RunningProvider, options: ContextOptions): Promise<Survey> {
  const answer = await running.call('GetSchema', Buffer.alloc(0), options.timeoutMs);
  if (!answer.ok) throw new Unreached(`GetSchema failed: ${describeStatus(answer.status)}`);
  const read = providerSchemaFromWire(decodeMessage(toolV1.GetSchemaResponseSchema, answer.bytes));
  return {
    ...read,
    bytes: answer.bytes,
    config: planConfig(read.schema.config, options.cases.config, random(options.seed, 'secrets')),
  };
}

/** Calls a function at most once; later callers get the same promise. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** A context for one check, and the function that ends what the check has started. */
export function checkContext(run: RunContext): { context: CheckContext; end: () => Promise<void> } {
  const deferred: (() => void | Promise<void>)[] = [];
  const own = <T extends { dispose(): Promise<void> }>(thing: T): T => {
    deferred.push(() => thing.dispose());
    return thing;
  };
  const context: CheckContext = {
    ...run,
    start: async (options) => own(await run.start(options)),
    startConfigured: async (config) => own(await run.startConfigured(config)),
    spawn: async (options = {}) =>
      own(
        await spawnProvider(run.options.target, {
          cwd: run.home,
          transcript: run.transcript,
          ...options,
        }),
      ),
    defer: (action) => void deferred.push(action),
  };
  const end = async (): Promise<void> => {
    for (const action of deferred.toReversed()) await action();
  };
  return { context, end };
}
