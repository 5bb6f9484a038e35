// What the adversarial provider declares: one operation for each way in which kernels treat operations.
import { type ObjectSchema, type Operation, providerSchemaToWire, toolV1 } from '@tenon/protocol';

const INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    /** JSON: a list of attempts, each a list of steps. */
    script: { type: 'string' },
    /** Tells the calls apart. */
    token: { type: 'string' },
    key: { type: 'string' },
  },
  required: ['script', 'token'],
};
const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
};

function operation(
  name: string,
  kind: Operation['kind'],
  rest: Partial<Operation> = {},
): Operation {
  return {
    name,
    kind,
    risk: kind === 'resource' ? 'moderate' : 'read_only',
    description: `Does as its script says (${name}).`,
    input: INPUT,
    output: OUTPUT,
    streaming: true,
    ...(kind === 'interactive' ? {} : { concurrency: { safe: true, keyFields: [] } }),
    defaultTimeoutMs: 10_000,
    idempotent: false,
    terminatesTurn: false,
    derivedKeys: [],
    ...rest,
  };
}

const OPERATIONS: readonly Operation[] = [
  operation('read', 'data_source'),
  operation('read_short', 'data_source', { defaultTimeoutMs: 400 }),
  operation('read_alone', 'data_source', { concurrency: { safe: false, keyFields: [] } }),
  operation('read_undeclared', 'data_source'),
  operation('change', 'resource'),
  operation('change_again', 'resource', { idempotent: true }),
  operation('change_keyed', 'resource', { concurrency: { safe: true, keyFields: ['key'] } }),
  operation('change_high', 'resource', { risk: 'high' }),
  operation('finish', 'resource', { terminatesTurn: true }),
  operation('ask', 'interactive'),
  operation('without_kind', 'data_source'),
  operation('contradictory', 'resource'),
];

/** GetSchema's answer; `hookPoints` is what the provider supports. */
export function adversarySchema(hooks: boolean): toolV1.GetSchemaResponse {
  const wire = providerSchemaToWire({
    operations: OPERATIONS,
    slashCommands: [],
    config: [],
    supportedHookPoints: hooks ? ['plan_ready'] : [],
  });
  for (const tool of wire.tools) {
    if (tool.name === 'read_undeclared') tool.concurrency = undefined;
    if (tool.name === 'without_kind') tool.kind = toolV1.ToolKind.UNSPECIFIED;
    if (tool.name === 'contradictory') tool.risk = toolV1.RiskClass.READ_ONLY;
  }
  return wire;
}
