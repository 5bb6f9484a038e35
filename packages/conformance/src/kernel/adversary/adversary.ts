// The provider that plays every fault against a kernel. Each call carries a script; what the kernel asked of it is
// written, a JSON object per line, into the file named by ADVERSARY_WITNESS, which the checks read.
//
// ADVERSARY_PREVIEW: ok (default), absent, hang, fail. ADVERSARY_HOOK: absent (default), allow, hang, fail.
import { asText } from '../../model/text.js';
import { appendFileSync } from 'node:fs';
import type { ServerWritableStream, UntypedHandleCall } from '@grpc/grpc-js';
import {
  commonV1,
  decodeMessage,
  encodeMessage,
  renderTreeToWire,
  toolEventToWire,
  toolV1,
} from '@tenon/protocol';
import { type RawMethod, type RawServer, serveRaw } from '../../raw/server.js';
import { adversarySchema } from './schema.js';
import { play, type Stage, type Step } from './script.js';
import type { WitnessLine } from './witness.js';

const TOOL = '/pluggableharness.tool.v1.ToolService/';
const WITNESS = process.env['ADVERSARY_WITNESS'] ?? '/dev/null';
const PREVIEW = process.env['ADVERSARY_PREVIEW'] ?? 'ok';
const HOOK = process.env['ADVERSARY_HOOK'] ?? 'absent';
const INTERNAL = 13;

function witness(line: WitnessLine): void {
  appendFileSync(WITNESS, `${JSON.stringify({ at: Date.now(), pid: process.pid, ...line })}\n`);
}

type Callback = (error: unknown, bytes?: Buffer) => void;
type Handle = (call: { request: Buffer }, callback: Callback) => void;
const unary = (handle: Handle): RawMethod => ({
  stream: 'unary',
  handle: handle as unknown as UntypedHandleCall,
});

const describe: Handle = (_call, callback) =>
  callback(
    null,
    encodeMessage(toolV1.DescribeResponseSchema, {
      $typeName: 'pluggableharness.tool.v1.DescribeResponse',
      producer: {
        $typeName: 'pluggableharness.common.v1.ProducerRef',
        name: 'adversary',
        version: '1.0.0',
        source: 'tenon.dev/adversary',
        category: commonV1.Category.TOOL,
        protocolVersion: 1,
      },
    }),
  );

const getSchema: Handle = (_call, callback) =>
  callback(null, encodeMessage(toolV1.GetSchemaResponseSchema, adversarySchema(HOOK !== 'absent')));

const configure: Handle = (_call, callback) => callback(null, Buffer.alloc(0));

const preview: Handle = (call, callback) => {
  const asked = decodeMessage(toolV1.PreviewRequestSchema, call.request).call;
  witness({ type: 'preview', operation: asked?.toolName ?? '', token: tokenOf(asked) });
  if (PREVIEW === 'hang') return;
  if (PREVIEW === 'fail') return callback({ code: INTERNAL, details: 'no preview today' });
  callback(
    null,
    encodeMessage(toolV1.PreviewResponseSchema, {
      $typeName: 'pluggableharness.tool.v1.PreviewResponse',
      preview: renderTreeToWire({ root: { type: 'text', content: 'a preview' } }),
    }),
  );
};

// A veto hook: DispatchHookResponse.veto (3) { decision (1) = ALLOW (1) }.
const ALLOW = Buffer.from([0x1a, 0x02, 0x08, 0x01]);
const dispatchHook: Handle = (_call, callback) => {
  witness({ type: 'hook' });
  if (HOOK === 'hang') return;
  if (HOOK === 'fail') return callback({ code: INTERNAL, details: 'the hook is broken' });
  callback(null, ALLOW);
};

const attempts = new Map<string, number>();

function tokenOf(call: toolV1.ToolCall | undefined): string {
  return asText(call?.arguments?.['token']);
}

function invoke(stream: ServerWritableStream<Buffer, Buffer>): void {
  const { call } = decodeMessage(toolV1.InvokeRequestSchema, stream.request);
  if (call === undefined) return void stream.end();
  const token = tokenOf(call);
  const attempt = attemptOf(token);
  const context = call.callContext;
  witness({
    type: 'invoke',
    operation: call.toolName,
    token,
    arguments: call.arguments ?? {},
    context: {
      sessionId: context?.sessionId ?? '',
      turnId: context?.turnId ?? '',
      workingDirectory: context?.workingDirectory ?? '',
    },
  });
  const abort = new AbortController();
  stream.on('cancelled', () => {
    witness({ type: 'cancelled', token });
    abort.abort();
  });
  const sendBytes = (bytes: Buffer): Promise<void> => {
    if (stream.cancelled || stream.write(bytes)) return Promise.resolve();
    return new Promise((resolve) => {
      stream.once('drain', resolve);
      stream.once('cancelled', resolve);
    });
  };
  const scripts = JSON.parse(asText(call.arguments?.['script']) || '[[]]') as Step[][];
  void played(stream, token, scripts[Math.min(attempt, scripts.length - 1)] ?? [], {
    signal: abort.signal,
    sendBytes,
    send: (event) =>
      sendBytes(
        encodeMessage(toolV1.InvokeResponseSchema, {
          $typeName: 'pluggableharness.tool.v1.InvokeResponse',
          event: toolEventToWire(event),
        }),
      ),
    disconnect: () => server?.cut(),
  });
}

async function played(
  stream: ServerWritableStream<Buffer, Buffer>,
  token: string,
  steps: readonly Step[],
  stage: Stage,
): Promise<void> {
  await play(steps, stage);
  witness({ type: 'ended', token });
  stream.end();
}

// A call that crashes the process begins with its first attempt again in the next one.
function attemptOf(token: string): number {
  const attempt = attempts.get(token) ?? 0;
  attempts.set(token, attempt + 1);
  return attempt;
}

let server: RawServer | undefined;

witness({
  type: 'started',
  env: Object.keys(process.env),
  values: Object.values(process.env).join('\n'),
});

const methods = new Map<string, RawMethod>([
  [`${TOOL}Describe`, unary(describe)],
  [`${TOOL}GetSchema`, unary(getSchema)],
  [`${TOOL}Configure`, unary(configure)],
  [`${TOOL}Invoke`, { stream: 'server', handle: invoke as UntypedHandleCall }],
]);
if (PREVIEW !== 'absent') methods.set(`${TOOL}Preview`, unary(preview));
if (HOOK !== 'absent') {
  methods.set('/pluggableharness.hook.v1.HookSubscriberService/DispatchHook', unary(dispatchHook));
}
server = await serveRaw(
  methods,
  () => false,
  () => {},
);
