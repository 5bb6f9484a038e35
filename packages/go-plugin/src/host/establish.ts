// From a spawned process to a plugin that answers: handshake line, agreement on TLS, first health
// check, stdio, broker. Raises a StartFailure at the step that went wrong.
import type { Certificate } from '../contract/certificate.js';
import { checkHealth, describeCallError, openChannel } from '../contract/connect.js';
import type { EndingChannel } from '../contract/ending-channel.js';
import { type HandshakeLine, parseHandshakeLine } from '../contract/handshake-line.js';
import type { MutualTls } from '../contract/transport-security.js';
import type { LaunchOptions } from '../types.js';
import { type HostBroker, offerServices } from './broker.js';
import type { Child } from './child.js';
import { describeExit, quote, StartFailure, unusableLine } from './launch-failure.js';
import { readStdio } from './stdio.js';
import { exitsWithin } from './stop.js';

/** How long a start may take when the options do not say. */
export const START_TIMEOUT_MS = 60_000;
/** How long a process that misbehaved may take to end by itself, so that its exit can be quoted. */
export const LAST_WORDS_MS = 300;
// How long a socket may refuse connections after the line that announced it.
const REFUSED_FOR_MS = 5_000;

/** A plugin that answers. */
export interface Established {
  readonly line: HandshakeLine;
  readonly channel: EndingChannel;
  readonly broker: HostBroker | undefined;
}

/** Takes a process through its start. Bounds no time: the caller does. */
export async function establish(
  options: LaunchOptions,
  child: Child,
  own: Certificate | undefined,
  socketDir: string | undefined,
): Promise<Established> {
  const line = await readHandshake(options, child);
  const tls = agreeOnTls(line, own);
  const channel = openChannel(line.network, line.address, tls);
  try {
    await firstContact(channel, line, options.startTimeoutMs ?? START_TIMEOUT_MS);
    readStdio(channel, (stream, data) => {
      if (stream === 'stderr') child.stderr.write(data);
      options.onOutput?.({ source: 'stdio', stream, data });
    });
    const services = options.brokerServices;
    const broker =
      services === undefined || services.size === 0
        ? undefined
        : await offerServices(channel, services, tls, socketDir);
    return { line, channel, broker };
  } catch (error) {
    channel.close();
    throw error;
  }
}

async function readHandshake(options: LaunchOptions, child: Child): Promise<HandshakeLine> {
  const first = await child.firstLine;
  if (first.kind === 'closed' && (await exitsWithin(child, LAST_WORDS_MS))) {
    throw await exitBeforeReady(child);
  }
  if (first.kind !== 'line') throw unusableLine(first);
  const parsed = parseHandshakeLine(first.text, options.handshake.protocolVersions);
  if (parsed.ok) return parsed.line;
  throw new StartFailure(
    parsed.failure,
    `its first line on stdout was refused: ${quote(first.text)}: ${parsed.reason}`,
    first.text,
  );
}

function agreeOnTls(line: HandshakeLine, own: Certificate | undefined): MutualTls | undefined {
  if (own === undefined) {
    if (line.certificate === undefined) return undefined;
    throw new StartFailure(
      'tls',
      'it wants TLS, which this host did not offer; launch it with tls: "mutual"',
    );
  }
  if (line.certificate !== undefined) return { own, peerDer: line.certificate };
  throw new StartFailure(
    'tls',
    'it answered without a certificate, so the connection would not be encrypted or ' +
      'authenticated; if this plugin cannot do mutual TLS and you accept that, launch it with ' +
      'tls: "off"',
  );
}

// Plugins in other languages may print the line a moment before they listen, so that a refused
// connection is tried again for a while. Any other failure is final.
async function firstContact(
  channel: EndingChannel,
  line: HandshakeLine,
  timeoutMs: number,
): Promise<void> {
  const refusedUntil = Date.now() + Math.min(REFUSED_FOR_MS, timeoutMs);
  for (;;) {
    try {
      return await checkHealth(channel, timeoutMs);
    } catch (error) {
      const what = describeCallError(error);
      if (!/ECONNREFUSED|ENOENT/.test(what) || Date.now() > refusedUntil) {
        throw new StartFailure(
          /certificate|SSL|TLS|handshake fail/i.test(what) ? 'tls' : 'connect',
          `the first health check over ${line.network} ${line.address} failed: ${what}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** What it means that a process exited while it was being started. */
export async function exitBeforeReady(child: Child): Promise<StartFailure> {
  const exit = await child.exited;
  const first = await child.firstLine;
  const line = first.text === '' ? undefined : first.text;
  // A process that printed something else and ended: what it printed says more than its code.
  if (first.kind === 'line' && !parseHandshakeLine(first.text).ok) {
    return new StartFailure(
      'exited',
      `it ${describeExit(exit)}; before that it printed ${quote(first.text)} where the go-plugin ` +
        'handshake is expected',
      line,
    );
  }
  const when =
    first.kind === 'line' ? 'after its handshake, before it was connected' : 'before its handshake';
  return new StartFailure('exited', `it ${describeExit(exit)} ${when}`, line);
}
