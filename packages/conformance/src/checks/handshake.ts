// Group handshake: how the program starts, what it prints, what it serves beside its own service, how it ends
// (RPC-08). Each check starts a process of its own.
import { existsSync, readdirSync } from 'node:fs';
import { parseHandshakeLine } from '@tenon/go-plugin';
import { hex, quoted } from '../model/bytes.js';
import { fail, notApplicable, notReached, pass, type Verdict } from '../model/check.js';
import { connect, describeStatus } from '../probe/connection.js';
import { isAlive } from '../probe/processes.js';
import type { RunningProvider } from '../probe/provider.js';
import type { ProviderProcess } from '../probe/provider-process.js';
import { bytesField } from '../probe/wire.js';
import { becomes, within } from '../probe/wait.js';
import type { CheckContext } from '../run/model.js';
import type { GroupChecks } from './group.js';

const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;
// As long as a terminal of a person waits before it is pressed again.
const EXIT_MS = 5_000;
const START_UP_MS = 10_000;

async function refuses(context: CheckContext, cookie: string | null): Promise<Verdict> {
  const did = cookie === null ? 'started it without the cookie' : 'started it with a wrong cookie';
  const expected =
    'a message for people on stderr, nothing on stdout that is a handshake, exit code 1';
  const child = await context.spawn({ cookie });
  const exit = await within(child.exited, EXIT_MS);
  const fix =
    'Compare the cookie of the environment before anything else; print a sentence on stderr and exit 1.';
  if (exit === undefined) {
    const saw = `still running after ${EXIT_MS} ms; stdout: ${quoted(child.stdout())}`;
    return fail({ did, expected, saw, fix });
  }
  // stdout and stderr may be read a moment after the exit was seen.
  await becomes(() => child.stderr() !== '', 200);
  const saw = `exit ${exit.code ?? exit.signal}, stdout ${quoted(child.stdout())}, stderr ${quoted(child.stderr())}`;
  if (parseHandshakeLine(child.stdout().split('\n')[0] ?? '', [1]).ok) {
    return fail({ did, expected, saw, fix });
  }
  if (exit.code === 0 || exit.code === null || child.stderr().trim() === '') {
    return fail({ did, expected, saw, fix });
  }
  return pass(did, expected, saw);
}

async function oneLine(context: CheckContext): Promise<Verdict> {
  const did = 'started it, asked Describe and GetSchema, and read its stdout';
  const expected = 'the handshake line CORE|APP|NETWORK|ADDRESS|grpc|CERT, and nothing else';
  const fix = 'Print nothing before or after the line; send logs to stderr.';
  const child = await context.spawn({ tls: context.options.tls });
  const text = await child.firstLine(context.timeoutMs * 3);
  if (text === undefined) {
    const saw = `no line; stderr ${quoted(child.stderr())}`;
    return fail({ did, expected, saw, fix });
  }
  const parsed = parseHandshakeLine(text, [1]);
  if (!parsed.ok) {
    return fail({ did, expected, saw: `${quoted(text)}: ${parsed.reason}`, fix });
  }
  const connection = connect(parsed.line, child.certificate, context.transcript);
  context.defer(() => connection.close());
  for (const method of ['Describe', 'GetSchema']) {
    await connection.unary(
      `/pluggableharness.tool.v1.ToolService/${method}`,
      Buffer.alloc(0),
      context.timeoutMs,
    );
  }
  const rest = child.stdout().slice(text.length + 1);
  if (rest !== '') return fail({ did, expected, saw: `after the line also ${quoted(rest)}`, fix });
  return pass(did, expected, quoted(text.replace(/\|[A-Za-z0-9+/]{40,}/, '|(certificate)')));
}

async function version(context: CheckContext): Promise<Verdict> {
  const did = 'started it with PLUGIN_PROTOCOL_VERSIONS=99';
  const expected = 'an exit, or a line that names a version it speaks, which is not 99';
  const child = await context.spawn({ versions: '99' });
  const text = await child.firstLine(context.timeoutMs * 3);
  const fix =
    'Answer with the version that you implement, whatever the host would like; or exit with a message.';
  if (text === undefined) {
    if (child.exit !== undefined && child.exit.code !== 0) {
      return pass(
        did,
        expected,
        `exit ${child.exit.code ?? child.exit.signal}, ${quoted(child.stderr())}`,
      );
    }
    return fail({ did, expected, saw: 'neither a line nor a failing exit', fix });
  }
  const app = text.split('|')[1];
  if (app === '99' || !/^\d+$/.test(app ?? '')) {
    return fail({ did, expected, saw: `the line ${quoted(text)}`, fix });
  }
  return pass(did, expected, `the line names version ${app}`);
}

async function health(context: CheckContext): Promise<Verdict> {
  const did = 'asked grpc.health.v1.Health/Check for the service "plugin"';
  const child = await context.spawn({ tls: context.options.tls });
  const connected = await handshakeOf(child, context);
  const answer = await connected.unary(
    '/grpc.health.v1.Health/Check',
    bytesField(1, 'plugin'),
    context.timeoutMs,
  );
  const fix =
    'Register the standard health service and set "plugin" to SERVING before the line is printed.';
  if (!answer.ok)
    return fail({ did, expected: 'SERVING', saw: describeStatus(answer.status), fix });
  // HealthCheckResponse: status = 1, SERVING = 1.
  if (answer.bytes[0] !== 0x08 || answer.bytes[1] !== 1) {
    return fail({ did, expected: 'SERVING (08 01)', saw: hex(answer.bytes), fix });
  }
  return pass(did, 'SERVING', hex(answer.bytes));
}

async function handshakeOf(child: ProviderProcess, context: CheckContext) {
  const text = await child.firstLine(context.timeoutMs * 3);
  const parsed = parseHandshakeLine(text ?? '', [1]);
  if (!parsed.ok) throw new Error(`no usable handshake line: ${quoted(text ?? '')}`);
  const connection = connect(parsed.line, child.certificate, context.transcript);
  context.defer(() => connection.close());
  return connection;
}

async function tlsOff(context: CheckContext): Promise<Verdict> {
  const did = 'started it without PLUGIN_CLIENT_CERT and asked its health';
  const expected = 'an empty certificate field, and an answer in plain text';
  const running = await context.start({ tls: false });
  if (running.line.certificate !== undefined) {
    return fail({
      did,
      expected,
      saw: 'the line carries a certificate',
      fix: 'Use TLS only when the host has sent its certificate.',
    });
  }
  return pass(did, expected, `an answer over ${running.line.network}`);
}

async function tlsOn(context: CheckContext): Promise<Verdict> {
  const did = 'started it with PLUGIN_CLIENT_CERT and connected with and without that certificate';
  const expected = 'its certificate in the line; an answer with ours, none without';
  const running = await context.start({ tls: true });
  if (running.line.certificate === undefined) {
    return fail({
      did,
      expected,
      saw: 'the certificate field is empty: the connection is in plain text',
      fix: 'Make a certificate per launch, require the one of PLUGIN_CLIENT_CERT, and put yours into the line. Until then, kernels run this provider only with TLS switched off.',
    });
  }
  const stranger = connect(running.line, undefined, context.transcript);
  context.defer(() => stranger.close());
  const answer = await stranger.unary(
    '/grpc.health.v1.Health/Check',
    bytesField(1, 'plugin'),
    2_000,
  );
  if (answer.ok) {
    return fail({
      did,
      expected,
      saw: 'a client without a certificate was answered',
      fix: 'Require client certificates, and trust exactly that of the host.',
    });
  }
  return pass(did, expected, 'mutual TLS; a stranger was turned away');
}

async function reflection(context: CheckContext): Promise<Verdict> {
  const running = await context.start();
  const did = 'asked server reflection for the list of services';
  const expected = 'a list with pluggableharness.tool.v1.ToolService';
  for (const edition of ['v1', 'v1alpha']) {
    const answer = await firstMessage(
      running,
      `/grpc.reflection.${edition}.ServerReflection/ServerReflectionInfo`,
      bytesField(7, '*'),
      context.timeoutMs,
    );
    if (typeof answer === 'number') {
      if (answer === UNIMPLEMENTED) continue;
      return fail({ did, expected, saw: `status ${answer}` });
    }
    if (answer.includes('pluggableharness.tool.v1.ToolService')) {
      return pass(did, expected, `it is there (${edition})`);
    }
    return fail({ did, expected, saw: hex(answer) });
  }
  return notApplicable('server reflection is not served');
}

function firstMessage(
  running: RunningProvider,
  path: string,
  request: Buffer,
  timeoutMs: number,
): Promise<Buffer | number> {
  return new Promise((resolve) => {
    const call = running.connection.bidi(path, timeoutMs);
    call.on('data', (bytes: Buffer) => {
      resolve(bytes);
      call.cancel();
    });
    call.on('error', (error: { code: number }) => resolve(error.code));
    call.on('end', () => resolve(Buffer.alloc(0)));
    call.write(request);
  });
}

async function stdio(context: CheckContext): Promise<Verdict> {
  const running = await context.start({ tls: context.options.tls });
  const did = 'opened plugin.GRPCStdio/StreamStdio for a moment';
  const expected = 'an open stream, UNIMPLEMENTED or UNAVAILABLE';
  const abort = new AbortController();
  const opened = running.connection.serverStream('/plugin.GRPCStdio/StreamStdio', Buffer.alloc(0), {
    deadlineMs: context.timeoutMs,
    signal: abort.signal,
  });
  const ended = await within(opened, 300);
  abort.abort();
  await opened;
  if (ended === undefined) return pass(did, expected, 'an open stream');
  const saw = describeStatus(ended.status);
  return [0, UNIMPLEMENTED, UNAVAILABLE].includes(ended.status.code)
    ? pass(did, expected, saw)
    : fail({ did, expected, saw });
}

async function otherServices(context: CheckContext): Promise<Verdict> {
  const running = await context.start();
  const did = 'called Describe of the services of six other categories';
  const expected = 'UNIMPLEMENTED';
  for (const category of ['model', 'context', 'memory', 'frontend', 'widget', 'slashcommand']) {
    const service = `${category.charAt(0).toUpperCase()}${category.slice(1)}Service`;
    const path = `/pluggableharness.${category}.v1.${service}/Describe`;
    const answer = await running.connection.unary(path, Buffer.alloc(0), context.timeoutMs);
    if (answer.ok || answer.status.code !== UNIMPLEMENTED) {
      const saw = answer.ok ? hex(answer.bytes) : describeStatus(answer.status);
      return fail({ did: `called ${path}`, expected, saw });
    }
  }
  return pass(did, expected, expected);
}

async function shutdown(context: CheckContext): Promise<Verdict> {
  const running = await context.start();
  const did = 'called plugin.GRPCController/Shutdown';
  const expected = `the process ends within ${EXIT_MS} ms, with everything it started`;
  const answer = await running.shutdown(context.timeoutMs);
  const exit = await within(running.process.exited, EXIT_MS);
  const fix =
    'Serve plugin.GRPCController; answer, close the server, end child processes and exit.';
  if (exit === undefined) {
    const saw = `still running; the call was answered with ${answer.ok ? 'OK' : describeStatus(answer.status)}`;
    return fail({ did, expected, saw, fix });
  }
  if (!(await becomes(() => running.process.remains().length === 0, 2_000))) {
    const saw = `processes left: ${running.process.remains().join(', ')}`;
    return fail({ did, expected, saw, fix });
  }
  return pass(did, expected, `exit ${exit.code ?? exit.signal}`);
}

async function socketRemoved(context: CheckContext): Promise<Verdict> {
  const running = await context.start();
  if (running.line.network !== 'unix') return notApplicable('it listens on TCP');
  const { address } = running.line;
  await running.shutdown(context.timeoutMs);
  await within(running.process.exited, EXIT_MS);
  const did = 'called Shutdown and looked for the socket';
  const expected = 'no file at its address';
  const gone = await becomes(() => !existsSync(address), 1_000);
  const left = existsSync(running.process.socketDir) ? readdirSync(running.process.socketDir) : [];
  const others = left.filter((name) => name !== 'callbacks.sock');
  if (!gone) {
    return fail({
      did,
      expected,
      saw: `${address} is still there`,
      fix: 'Unlink the socket before exiting.',
    });
  }
  return pass(
    did,
    expected,
    others.length === 0 ? 'none' : `none, but ${others.join(', ')} beside it`,
  );
}

async function sigterm(context: CheckContext): Promise<Verdict> {
  const running = await context.start();
  const did = 'sent SIGTERM';
  const expected = `the process ends within ${EXIT_MS} ms`;
  running.process.signal('SIGTERM');
  const exit = await within(running.process.exited, EXIT_MS);
  return exit === undefined
    ? fail({ did, expected, saw: 'still running', fix: 'Leave SIGTERM alone, or end on it.' })
    : pass(did, expected, `exit ${exit.code ?? exit.signal}`);
}

async function sigint(context: CheckContext): Promise<Verdict> {
  const running = await context.start();
  const did = "sent SIGINT, as a terminal does to the host's whole group, and asked its health";
  const expected = 'SERVING';
  running.process.signal('SIGINT');
  await within(running.process.exited, 300);
  const saw =
    running.process.exit === undefined
      ? await running.health(context.timeoutMs)
      : `exit ${running.process.exit.code ?? running.process.exit.signal}`;
  return saw === 'serving'
    ? pass(did, expected, 'SERVING')
    : fail({ did, expected, saw, fix: 'Ignore SIGINT; the host ends you when it wants to.' });
}

async function hostDeath(context: CheckContext): Promise<Verdict> {
  if (process.platform === 'win32') return notReached('needs a unix shell as the host');
  const running = await context.start({ behindShell: true });
  const did = 'killed its parent with SIGKILL and closed the connection';
  const expected = 'it ends by itself within 15 s';
  const pids = running.process.remains().filter((pid) => pid !== running.process.pid);
  if (pids.length === 0)
    return notReached('the process below the shell cannot be seen here (no /proc)');
  running.process.signal('SIGKILL');
  running.connection.close();
  const ended = await becomes(() => !pids.some(isAlive), 15_000, 50);
  return ended
    ? pass(did, expected, 'it ended')
    : fail({
        did,
        expected,
        saw: `process ${pids.filter(isAlive).join(', ')} still runs`,
        fix: 'Watch the parent process id and the connection; exit when the host is gone.',
      });
}

async function startUp(context: CheckContext): Promise<Verdict> {
  const started = performance.now();
  await context.start();
  const took = Math.round(performance.now() - started);
  const did = 'started it and waited for SERVING';
  const expected = `less than ${START_UP_MS} ms`;
  return took < START_UP_MS
    ? pass(did, expected, `${took} ms`)
    : fail({ did, expected, saw: `${took} ms`, fix: 'Load lazily what the first call needs.' });
}

export const handshake: GroupChecks<'handshake'> = {
  no_cookie: (context) => refuses(context, null),
  wrong_cookie: (context) => refuses(context, 'not-the-cookie'),
  one_line: oneLine,
  version,
  health,
  tls_off: tlsOff,
  tls_on: tlsOn,
  reflection,
  stdio,
  other_services: otherServices,
  shutdown,
  socket_removed: socketRemoved,
  sigterm,
  sigint,
  host_death: hostDeath,
  start_up: startUp,
};
