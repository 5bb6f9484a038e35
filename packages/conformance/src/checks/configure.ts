// Group configure: what Configure accepts and refuses (CFG-01), and whether configured boundaries hold (CFG-03).
import {
  type ConfigAttribute,
  ERROR_DOMAIN,
  type JsonObject,
  type JsonValue,
} from '@tenon/protocol';
import { notApplicable, pass, fail, type Verdict } from '../model/check.js';
import { evidence } from '../model/evidence.js';
import { type Answer, describeStatus } from '../probe/connection.js';
import type { RunningProvider } from '../probe/provider.js';
import { describeRecording, failureOf } from '../probe/stream.js';
import type { CheckContext, Survey } from '../run/model.js';
import type { GroupChecks } from './group.js';

const INVALID_ARGUMENT = 3;
const FIX =
  'Check everything in Configure: answer INVALID_ARGUMENT with a message that names every wrong setting.';

interface Attempt {
  readonly what: string;
  readonly attribute: string;
  readonly config: JsonObject;
}

async function accepts(context: CheckContext): Promise<Verdict> {
  const { config } = await context.survey();
  const provider = await context.start();
  const did = `called Configure with ${JSON.stringify(config.shown)}`;
  const answer = await provider.configure(config.config, context.timeoutMs);
  if (answer.ok) return pass(did, 'OK', 'OK');
  return fail({
    did,
    expected: 'OK',
    saw: describeStatus(answer.status),
    fix: 'Serve Configure; if it needs other values than these, give them as "config" in the case file.',
  });
}

/** Refused attempts, each by a fresh Configure of one process. */
async function refusals(
  context: CheckContext,
  attempts: readonly Attempt[],
  did: string,
): Promise<Verdict> {
  const provider = await context.start();
  const found = evidence(did, 'INVALID_ARGUMENT with a message that names the setting');
  for (const { what, attribute, config } of attempts) {
    const answer = await configureOn(provider, config, context);
    const problem = problemWith(answer, attribute);
    if (problem === undefined) found.held(what);
    else {
      found.broke({
        did: `called Configure where ${what}`,
        expected: `INVALID_ARGUMENT with a message that names ${attribute}`,
        saw: problem,
        fix: FIX,
      });
    }
  }
  return found.verdict();
}

const configureOn = (provider: RunningProvider, config: JsonObject, { timeoutMs }: CheckContext) =>
  provider.configure(config, timeoutMs);

function problemWith(answer: Answer, attribute: string): string | undefined {
  if (answer.ok) return 'OK';
  const { status } = answer;
  if (status.code !== INVALID_ARGUMENT || status.details.trim() === '')
    return describeStatus(status);
  return status.details.includes(attribute)
    ? undefined
    : `${describeStatus(status)}, which does not name ${attribute}`;
}

function without(config: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([key]) => key !== name));
}

function missingAttempts({ schema, config }: Survey): Attempt[] {
  return schema.config
    .filter((attribute) => attribute.required && attribute.default === undefined)
    .map(({ name }) => ({
      what: `${name} is missing`,
      attribute: name,
      config: without(config.config, name),
    }));
}

async function missingRequired(context: CheckContext): Promise<Verdict> {
  const attempts = missingAttempts(await context.survey());
  if (attempts.length === 0) return notApplicable('no setting is required');
  return refusals(context, attempts, 'left out each required setting in turn');
}

const WRONG: Readonly<Record<ConfigAttribute['type'], { value: JsonValue; what: string }>> = {
  string: { value: ['a', 'list'], what: 'a list' },
  number: { value: 'text', what: 'a text' },
  bool: { value: 'text', what: 'a text' },
  list_string: { value: 7, what: 'a number' },
  list_number: { value: ['text'], what: 'a list of texts' },
  map_string: { value: 7, what: 'a number' },
  object: { value: 7, what: 'a number' },
};

async function wrongTypes(context: CheckContext): Promise<Verdict> {
  const { schema, config } = await context.survey();
  if (schema.config.length === 0) return notApplicable('there are no settings');
  const attempts = schema.config.map(({ name, type }) => ({
    what: `${name} is ${WRONG[type].what} instead of ${type}`,
    attribute: name,
    config: { ...config.config, [name]: WRONG[type].value },
  }));
  return refusals(context, attempts, 'gave each setting a value of another type in turn');
}

async function unknownKeys(context: CheckContext): Promise<Verdict> {
  const { config } = await context.survey();
  const name = 'conformance_unknown';
  const attempts = [
    {
      what: `${name}, which is not declared, is set`,
      attribute: name,
      config: { ...config.config, [name]: 1 },
    },
  ];
  return refusals(context, attempts, 'set a setting that is not declared');
}

async function structured(context: CheckContext): Promise<Verdict> {
  const [attempt] = missingAttempts(await context.survey());
  if (attempt === undefined) return notApplicable('no setting is required');
  const provider = await context.start();
  const answer = await provider.configure(attempt.config, context.timeoutMs);
  const did = `called Configure where ${attempt.what}`;
  const expected = `an ErrorInfo with the domain ${ERROR_DOMAIN} and the reason invalid_arguments`;
  if (answer.ok) return fail({ did, expected, saw: 'OK' });
  const details = Buffer.from(answer.status.statusDetailsBin ?? []);
  if (details.includes(ERROR_DOMAIN) && details.includes('invalid_arguments')) {
    return pass(did, expected, 'it is there');
  }
  return fail({
    did,
    expected,
    saw: details.length === 0 ? 'a bare status' : `details ${details.toString('latin1')}`,
    fix: 'Put a google.rpc.ErrorInfo into the details of the status (trailer grpc-status-details-bin).',
  });
}

async function defaults(context: CheckContext): Promise<Verdict> {
  const { schema, config } = await context.survey();
  const optional = schema.config.filter(({ required }) => !required);
  if (optional.length === 0) return notApplicable('there are no optional settings');
  const provider = await context.start();
  const required = schema.config.filter((attribute) => attribute.required);
  const kept = Object.fromEntries(
    required.flatMap(({ name }) => {
      const value = config.config[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const did = `called Configure with the required settings alone (${Object.keys(kept).join(', ') || 'none'})`;
  const answer = await provider.configure(kept, context.timeoutMs);
  return answer.ok
    ? pass(did, 'OK', 'OK')
    : fail({
        did,
        expected: 'OK',
        saw: describeStatus(answer.status),
        fix: 'Mark the setting as required, or work without it.',
      });
}

async function boundaries(context: CheckContext): Promise<Verdict> {
  const { calls, skipped } = await context.exercise();
  const found = evidence('made the calls of the cases marked as boundary', 'permission_denied');
  for (const { case: one, recording } of calls) {
    if (one?.boundary !== true) continue;
    const failure = failureOf(recording);
    if (failure?.category === 'permission_denied') found.held(one.name);
    else {
      found.broke({
        did: `called ${one.operation} with ${JSON.stringify(one.arguments)} (${one.name})`,
        expected: 'permission_denied',
        saw: describeRecording(recording),
      });
    }
  }
  for (const { case: one, reason } of skipped) if (one.boundary) found.missed(reason);
  found.missed(
    'no case is marked boundary: true; add a call beyond a boundary that the settings draw, or say under not_applicable why there is none',
  );
  return found.verdict();
}

export const configure: GroupChecks<'configure'> = {
  accepts,
  missing_required: missingRequired,
  wrong_types: wrongTypes,
  unknown_keys: unknownKeys,
  structured,
  defaults,
  boundaries,
};
