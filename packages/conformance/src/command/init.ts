// `tenon conform init`: a starter case file, made from what the provider says of itself. The author fills in what
// only an author knows.
import {
  type ConfigAttribute,
  decodeMessage,
  type Operation,
  toolV1,
  providerSchemaFromWire,
} from '@tenon/protocol';
import { stringify } from 'yaml';
import { generateArguments } from '../arguments/generate.js';
import { createWorkspaces } from '../cases/workspace.js';
import { SpawnError } from '../probe/provider-process.js';
import { StartError, startProvider } from '../probe/provider.js';
import { findTarget } from '../probe/target.js';
import { createTranscript } from '../probe/transcript.js';
import { describeStatus } from '../probe/connection.js';
import { random } from '../run/random.js';
import { valueFor } from '../run/settings.js';
import { readEnv, reportProblems } from './flags.js';

const START_MS = 15_000;

/** Writes the file to stdout. Resolves to the exit code. */
export async function runInit(words: readonly string[], pairs: readonly string[]): Promise<number> {
  const problems: string[] = [];
  const env = readEnv(pairs, problems);
  const [command = '', ...args] = words;
  if (problems.length > 0) return reportProblems(problems);
  const workspaces = createWorkspaces([]);
  try {
    const provider = await startProvider(findTarget({ command, args, env }), {
      cwd: workspaces.empty(),
      tls: true,
      transcript: createTranscript(),
      startTimeoutMs: START_MS,
    });
    const answer = await provider.call('GetSchema', Buffer.alloc(0), START_MS);
    await provider.dispose();
    if (!answer.ok) return reportProblems([`GetSchema failed: ${describeStatus(answer.status)}`]);
    const { schema } = providerSchemaFromWire(
      decodeMessage(toolV1.GetSchemaResponseSchema, answer.bytes),
    );
    process.stdout.write(starter(schema.operations, schema.config));
    return 0;
  } catch (error) {
    if (!(error instanceof StartError || error instanceof SpawnError)) throw error;
    return reportProblems([error.message]);
  } finally {
    workspaces.dispose();
  }
}

const HEAD = `# Cases for \`tenon conform --cases THIS_FILE -- COMMAND\`. Fill in what is marked with "?".
# yaml-language-server: $schema=https://tenon.dev/schemas/case-file.schema.json
`;

/** The text of a case file that parses, with a case per operation and hints for the rest. */
export function starter(
  operations: readonly Operation[],
  attributes: readonly ConfigAttribute[],
): string {
  const settings = attributes.filter(({ required, sensitive }) => required && !sensitive);
  const callable = operations.filter(({ kind }) => kind !== 'interactive');
  const file = {
    version: 1,
    ...(settings.length === 0
      ? {}
      : { config: Object.fromEntries(settings.map((one) => [one.name, valueFor(one, '?')])) }),
    // Nothing that changes anything is called without the author's word.
    run_resources: false,
    process_backed: [],
    fixtures: { 'conformance.txt': 'one\ntwo\nthree\n' },
    cases: callable.map((operation) => ({
      name: `${operation.name} works`,
      operation: operation.name,
      arguments: generateArguments(
        operation.input,
        random(1, operation.name),
        { files: ['conformance.txt'] },
        true,
      ),
      expect: 'result',
    })),
  };
  return HEAD + stringify(file) + HINTS;
}

const HINTS = `  # - name: something that is not there
  #   operation: ?
  #   arguments: { path: missing }
  #   expect: { error: not_found }
  # - name: beyond a boundary of the settings
  #   operation: ?
  #   boundary: true
  #   expect: { error: permission_denied }
  # - name: runs until it is cancelled
  #   operation: ?
  #   long_running: true
  #   reports: true
# not_applicable:
#   ERR-08: calls of this provider never get in each other's way
`;
