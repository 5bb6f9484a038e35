// Starts a provider as a host would, or wrongly on purpose, and keeps every byte it prints. Speaks no gRPC.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  allowedEnv,
  type Certificate,
  DEFAULT_ENV_NAMES,
  generateCertificate,
} from '@tenon/go-plugin';
import { descendants, marked } from './processes.js';
import type { Transcript } from './transcript.js';
import { within } from './wait.js';

const COOKIE_KEY = 'PLUGGABLEHARNESS_AGENT_PLUGIN';
export const COOKIE_VALUE = 'pluggableharness-agent-v1-a6f3c9d2-plugin-handshake';
const MARK = 'TENON_CONFORM_MARK';

/** The program under test. */
export interface Target {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside what every program needs (PATH, HOME, …); nothing else of our environment is passed on. */
  readonly env: Readonly<Record<string, string>>;
}

export interface SpawnOptions {
  /** null leaves it out. */
  readonly cookie?: string | null;
  /** Value of PLUGIN_PROTOCOL_VERSIONS. */
  readonly versions?: string;
  /** Whether the host offers mutual TLS. */
  readonly tls?: boolean;
  readonly cwd: string;
  /** Starts it below a shell, which can be killed in place of the host. */
  readonly behindShell?: boolean;
  readonly transcript: Transcript;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProviderProcess {
  /** Of what was spawned: the provider, or the shell before it. */
  readonly pid: number;
  readonly socketDir: string;
  readonly certificate: Certificate | undefined;
  stdout(): string;
  stderr(): string;
  /** The first line on stdout; undefined when there is none within the time, or before the end. */
  firstLine(timeoutMs: number): Promise<string | undefined>;
  readonly exited: Promise<Exit>;
  readonly exit: Exit | undefined;
  /** Processes of this launch that run now, whoever their parent is. */
  remains(): number[];
  signal(name: NodeJS.Signals): void;
  /** SIGKILL for all of it; removes the sockets. Resolves when the provider has ended. */
  dispose(): Promise<void>;
}

/** A program that cannot be started at all: nothing can be tested. */
export class SpawnError extends Error {}

export async function spawnProvider(
  target: Target,
  options: SpawnOptions,
): Promise<ProviderProcess> {
  // Short, as a socket path may have 107 bytes.
  const socketDir = mkdtempSync(join(tmpdir(), 'tc-'));
  const certificate = options.tls === true ? generateCertificate() : undefined;
  const mark = randomUUID();
  const env = environment(target, options, { socketDir, certificate, mark });
  const [command, args] =
    options.behindShell === true
      ? ['/bin/sh', ['-c', '"$@" & wait', 'sh', target.command, ...target.args]]
      : [target.command, [...target.args]];
  const child = spawn(command, args, {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const out = collect(child.stdout, 'stdout', options.transcript);
  const err = collect(child.stderr, 'stderr', options.transcript);
  let exit: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    child.on('exit', (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      rmSync(socketDir, { recursive: true, force: true });
      reject(new SpawnError(`cannot start ${target.command}: ${error.message}`));
    });
  });
  const pid = child.pid ?? 0;
  const kill = (name: NodeJS.Signals, to: number): void => {
    try {
      process.kill(to, name);
    } catch {
      // Gone already.
    }
  };
  const remains = (): number[] => {
    const pids = new Set(marked(mark).map((row) => row.pid));
    if (exit === undefined) for (const row of descendants(pid)) pids.add(row.pid);
    return [...pids];
  };
  return {
    pid,
    socketDir,
    certificate,
    stdout: () => out.text(),
    stderr: () => err.text(),
    firstLine: (timeoutMs) =>
      within(Promise.race([out.line, exited.then(() => out.lineNow())]), timeoutMs),
    exited,
    get exit() {
      return exit;
    },
    remains,
    signal: (name) => kill(name, pid),
    dispose: async () => {
      const left = remains();
      kill('SIGKILL', -pid);
      for (const one of left) kill('SIGKILL', one);
      await exited;
      child.stdout.destroy();
      child.stderr.destroy();
      rmSync(socketDir, { recursive: true, force: true });
    },
  };
}

function environment(
  target: Target,
  options: SpawnOptions,
  own: { socketDir: string; certificate: Certificate | undefined; mark: string },
): Record<string, string> {
  const cookie = options.cookie === undefined ? COOKIE_VALUE : options.cookie;
  return {
    ...allowedEnv(DEFAULT_ENV_NAMES),
    ...target.env,
    [MARK]: own.mark,
    ...(cookie === null ? {} : { [COOKIE_KEY]: cookie }),
    PLUGIN_PROTOCOL_VERSIONS: options.versions ?? '1',
    PLUGIN_MIN_PORT: '10000',
    PLUGIN_MAX_PORT: '25000',
    PLUGIN_UNIX_SOCKET_DIR: own.socketDir,
    ...(own.certificate === undefined ? {} : { PLUGIN_CLIENT_CERT: own.certificate.certPem }),
  };
}

interface Collected {
  text(): string;
  readonly line: Promise<string>;
  lineNow(): string | undefined;
}

function collect(stream: NodeJS.ReadableStream, name: string, transcript: Transcript): Collected {
  let all = '';
  let whole = Buffer.alloc(0);
  let seen = (_line: string): void => {};
  const line = new Promise<string>((resolve) => {
    seen = resolve;
  });
  const lineNow = (): string | undefined => {
    const end = all.indexOf('\n');
    return end < 0 ? undefined : all.slice(0, end);
  };
  stream.on('data', (data: Buffer) => {
    all += data.toString('latin1');
    whole = Buffer.concat([whole.subarray(-256), data]);
    // With what came before it, so that a secret is found across two reads too.
    transcript.add(name, whole);
    const first = lineNow();
    if (first !== undefined) seen(first);
  });
  return { text: () => all, line, lineNow };
}
