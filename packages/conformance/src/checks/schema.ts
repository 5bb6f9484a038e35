// Group schema: the static rules of what the provider declares. The rules themselves are those that kernels load
// operations by (@tenon/protocol); here they are asked one requirement at a time.
import {
  commonV1,
  decodeMessage,
  extensionV1,
  providerSchemaFromWire,
  toolV1,
  type Violation,
} from '@tenon/protocol';
import { hex } from '../model/bytes.js';
import { fail, type Finding, notApplicable, pass, type Verdict } from '../model/check.js';
import { describeStatus } from '../probe/connection.js';
import type { CheckContext, Survey } from '../run/model.js';
import type { GroupChecks, Run } from './group.js';

/** Passes when no violation names the requirement; `subject` says what was looked at, or that there is nothing. */
function rule(id: string, subject: (survey: Survey) => number, things: string): Run {
  return async (context) => {
    const survey = await context.survey();
    const broken = survey.violations.filter(({ requirement }) => requirement === id);
    if (broken.length > 0) return fail(...broken.map((violation) => findingOf(violation, survey)));
    const count = subject(survey);
    if (count === 0) return notApplicable(`it declares no ${things}`);
    return pass(`read ${count} ${things} of GetSchema`, 'no violation', 'none');
  };
}

function findingOf({ pointer, message }: Violation, survey: Survey): Finding {
  const index = Number(/^\/tools\/(\d+)/.exec(pointer)?.[1] ?? -1);
  const wire = decodeMessage(toolV1.GetSchemaResponseSchema, survey.bytes);
  const name = wire.tools[index]?.name;
  return {
    did: `read ${pointer} of GetSchema${name === undefined ? '' : ` (operation "${name}")`}`,
    expected: 'no violation',
    saw: message,
  };
}

const operations = (survey: Survey): number =>
  survey.schema.operations.length + survey.refused.length;

async function answered(context: CheckContext): Promise<Verdict> {
  const provider = await context.start();
  const did = 'called GetSchema';
  const expected = 'a GetSchemaResponse with at least one operation';
  const answer = await provider.call('GetSchema', Buffer.alloc(0), context.timeoutMs);
  if (!answer.ok) return fail({ did, expected, saw: describeStatus(answer.status) });
  const { bytes } = answer;
  try {
    const { tools } = decodeMessage(toolV1.GetSchemaResponseSchema, bytes);
    if (tools.length > 0)
      return pass(did, expected, `${bytes.length} bytes, ${tools.length} operations`);
  } catch (error) {
    return fail({ did, expected, saw: `${(error as Error).message} [${hex(bytes)}]` });
  }
  return fail({
    did,
    expected,
    saw: `${hex(bytes)}: no operations`,
    fix: 'Declare your operations.',
  });
}

// OPEN-02: the keys that our extension service adds.
async function derivedKeys(context: CheckContext): Promise<Verdict> {
  const survey = await context.survey();
  const provider = await context.shared();
  const path = '/tenon.extension.v1.ToolExtensionService/GetExtensions';
  const answer = await provider.connection.unary(path, Buffer.alloc(0), context.timeoutMs);
  if (!answer.ok) return notApplicable('it serves no extensions');
  const extensions = decodeMessage(extensionV1.GetExtensionsResponseSchema, answer.bytes);
  const count = extensions.operations.flatMap(({ keys }) => keys).length;
  if (count === 0) return notApplicable('it declares no derived keys');
  const schemaAnswer = decodeMessage(toolV1.GetSchemaResponseSchema, survey.bytes);
  const broken = providerSchemaFromWire(schemaAnswer, extensions).violations.filter(
    ({ requirement }) => requirement === 'OPEN-02',
  );
  if (broken.length > 0) return fail(...broken.map((violation) => findingOf(violation, survey)));
  return pass(`read ${count} derived keys of GetExtensions`, 'no violation', 'none');
}

async function identity(context: CheckContext): Promise<Verdict> {
  const provider = await context.shared();
  const did = 'called Describe';
  const expected = 'name, version, source, category TOOL (2), protocol_version 1';
  const answer = await provider.call('Describe', Buffer.alloc(0), context.timeoutMs);
  if (!answer.ok) return fail({ did, expected, saw: describeStatus(answer.status) });
  const { producer } = decodeMessage(toolV1.DescribeResponseSchema, answer.bytes);
  const wrong = [
    ...(producer?.name ? [] : ['name is empty']),
    ...(producer?.version ? [] : ['version is empty']),
    ...(producer?.source ? [] : ['source is empty']),
    ...(producer?.category === commonV1.Category.TOOL
      ? []
      : [`category is ${producer?.category ?? 0}`]),
    ...(producer?.protocolVersion === 1
      ? []
      : [`protocol_version is ${producer?.protocolVersion ?? 0}`]),
  ];
  if (wrong.length > 0) {
    return fail({ did, expected, saw: `${wrong.join(', ')} [${hex(answer.bytes)}]` });
  }
  return pass(did, expected, `${producer?.name} ${producer?.version} from ${producer?.source}`);
}

export const schema: GroupChecks<'schema'> = {
  answered,
  identity,
  subset: rule('SCH-01', operations, 'operations'),
  names: rule('SCH-02', operations, 'operations'),
  roots: rule('SCH-03', operations, 'operations'),
  slash_commands: rule('SCH-04', ({ schema: read }) => read.slashCommands.length, 'slash commands'),
  kind: rule('KND-01', operations, 'operations'),
  risk: rule('KND-02', operations, 'operations'),
  concurrency: rule('CON-01', operations, 'operations'),
  interactive: rule(
    'CON-03',
    ({ schema: read }) => read.operations.filter(({ kind }) => kind === 'interactive').length,
    'interactive operations',
  ),
  key_fields: rule(
    'CON-07',
    ({ schema: read }) =>
      read.operations.filter(({ concurrency }) => (concurrency?.keyFields.length ?? 0) > 0).length,
    'key_fields',
  ),
  derived_keys: derivedKeys,
  timeout: rule('TMO-01', operations, 'operations'),
  hook_points: rule('HKP-01', ({ schema: read }) => read.supportedHookPoints.length, 'hook points'),
  terminates_turn: rule(
    'TRM-01',
    ({ schema: read }) => read.operations.filter(({ terminatesTurn }) => terminatesTurn).length,
    'operations that end the turn',
  ),
  settings: rule('CFG-01', ({ schema: read }) => read.config.length, 'settings'),
};
