// Group purity: reads and previews leave a directory as it was (KND-04, PRV-02). Compared by hashes, and watched
// meanwhile, so that a change that is undone is seen too.
import type { JsonObject } from '@tenon/protocol';
import { notApplicable, type Verdict } from '../model/check.js';
import { evidence, type Evidence } from '../model/evidence.js';
import type { RunningProvider } from '../probe/provider.js';
import { readTree, treeChanges, watchTree } from '../probe/tree.js';
import { pause } from '../probe/wait.js';
import { invocation } from '../run/invocation.js';
import type { CheckContext } from '../run/model.js';
import { callIn, endsByItself, inDirectory, validArguments } from '../run/exercise.js';
import type { GroupChecks } from './group.js';

// What the system has seen is told a moment later.
const WATCH_MS = 30;
const BRIEFLY_MS = 150;
const UNIMPLEMENTED = 12;

interface Subject {
  readonly operation: string;
  readonly arguments: JsonObject;
}

/** Runs something in a fresh directory, and lists what it changed there or in the directory of the process. */
async function changesOf(
  context: CheckContext,
  act: (directory: string) => Promise<void>,
): Promise<string[]> {
  const directory = context.workspaces.fresh();
  const before = [readTree(directory), readTree(context.home)] as const;
  const watching = watchTree(directory);
  await act(directory);
  await pause(WATCH_MS);
  watching.close();
  const changes = [
    ...treeChanges(before[0], readTree(directory)),
    ...treeChanges(before[1], readTree(context.home)).map((change) => `beside it, ${change}`),
  ];
  if (changes.length > 0) return changes;
  return [...watching.touched].map((path) => `${path} was touched, and then restored`);
}

function report(found: Evidence, subject: Subject, what: string, changes: readonly string[]): void {
  if (changes.length === 0) found.held(subject.operation);
  else {
    found.broke({
      did: `${what} ${subject.operation} with ${JSON.stringify(subject.arguments)}`,
      expected: 'the directory as it was',
      saw: changes.join('; '),
    });
  }
}

async function reads(context: CheckContext): Promise<Verdict> {
  const { schema } = await context.survey();
  const sources = schema.operations.filter(({ kind }) => kind === 'data_source');
  if (sources.length === 0) return notApplicable('there is no data_source');
  const found = evidence(
    'called each data_source in a directory that was hashed and watched',
    'no change',
  );
  const provider = await context.shared();
  for (const operation of sources) {
    const cases = context.cases.cases.filter(
      (one) =>
        one.operation === operation.name &&
        one.config === undefined &&
        (!one.longRunning || !endsByItself(context, operation)),
    );
    const subjects: Subject[] =
      cases.length > 0
        ? cases
        : [{ operation: operation.name, arguments: validArguments(context, operation) }];
    for (const subject of subjects) {
      const changes = await changesOf(context, async (directory) => {
        const args = inDirectory(subject.arguments, directory);
        if (endsByItself(context, operation)) {
          await callIn(context, provider, operation.name, args, directory);
        } else await callBriefly(context, provider, operation.name, args, directory);
      });
      report(found, subject, 'called', changes);
    }
  }
  return found.verdict();
}

async function previews(context: CheckContext): Promise<Verdict> {
  const { schema } = await context.survey();
  const resources = schema.operations.filter(({ kind }) => kind === 'resource');
  if (resources.length === 0) return notApplicable('there is no resource');
  const found = evidence(
    'previewed each resource in a directory that was hashed and watched',
    'no change',
  );
  const provider = await context.shared();
  for (const operation of resources) {
    const cases = context.cases.cases.filter((one) => one.operation === operation.name);
    const subjects: Subject[] =
      cases.length > 0
        ? cases
        : [{ operation: operation.name, arguments: validArguments(context, operation) }];
    for (const subject of subjects) {
      let code = 0;
      const changes = await changesOf(context, async (directory) => {
        const args = inDirectory(subject.arguments, directory);
        const answer = await provider.preview(
          invocation(operation.name, args, directory),
          context.timeoutMs,
        );
        code = answer.ok ? 0 : answer.status.code;
      });
      if (code === UNIMPLEMENTED && changes.length === 0)
        return notApplicable('Preview is not implemented');
      report(found, subject, 'previewed', changes);
    }
  }
  return found.verdict();
}

/** For a call that does not end by itself. */
async function callBriefly(
  context: CheckContext,
  provider: RunningProvider,
  operation: string,
  args: JsonObject,
  directory: string,
): Promise<void> {
  await provider.invoke(invocation(operation, args, directory), {
    timeoutMs: context.timeoutMs,
    signal: AbortSignal.timeout(BRIEFLY_MS),
  });
}

export const purity: GroupChecks<'purity'> = { reads, previews };
