// Chooses where a plugin listens: in the directory that the host gave, in one of its own, or on TCP.
import { chmodSync, chownSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { ENV } from '../contract/env.js';
import type { ListenAddress } from '../contract/listener.js';
import { fitsSockets, makeSocketDir } from '../contract/socket-dir.js';

/** An address, what was remarkable about the choice, and how to remove what was made for it. */
export interface ChosenAddress {
  readonly address: ListenAddress;
  /** The directory that the host gave, where it gave one and it is used. */
  readonly hostDir?: string;
  readonly note?: string;
  readonly remove: () => void;
}

/** Raises an Error when there is no place for a socket. Windows gets TCP. */
export function chooseAddress(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): ChosenAddress {
  if (platform === 'win32') {
    const minPort = port(env[ENV.minPort]);
    const maxPort = Math.max(minPort, port(env[ENV.maxPort]));
    return { address: { network: 'tcp', minPort, maxPort }, remove: () => {} };
  }
  const name = `plugin${randomBytes(4).toString('hex')}`;
  const given = env[ENV.socketDir] ?? '';
  if (given !== '' && fitsSockets(given)) {
    const address = { network: 'unix', path: join(given, name) } as const;
    return { address, hostDir: given, remove: () => {} };
  }
  const dir = makeSocketDir(env);
  return {
    address: { network: 'unix', path: join(dir, name) },
    ...(given !== '' && {
      note: `${ENV.socketDir} (${given}) is too long for sockets: using ${dir}`,
    }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/**
 * Removes what a dead host left: the sockets that it had announced, and the directory of the launch
 * if that is what `dir` is and nothing else is in it.
 */
export function removeOrphans(dir: string, announced: readonly string[]): void {
  for (const socket of announced) {
    if (dirname(socket) === dir) rmSync(socket, { force: true });
  }
  if (!basename(dir).startsWith('plugin-')) return;
  try {
    rmdirSync(dir);
  } catch {
    // Not empty, or gone already: either way it is not ours to remove.
  }
}

/**
 * Lets a group in, where the host asked for one (a name or a number). Raises an Error when the
 * group is unknown or may not be given to the socket.
 */
export function openToGroup(path: string, env: NodeJS.ProcessEnv = process.env): void {
  const group = env[ENV.socketGroup];
  if (group === undefined || group === '') return;
  const id = /^\d+$/.test(group) ? Number(group) : groupId(group);
  chownSync(path, process.getuid?.() ?? -1, id);
  chmodSync(path, 0o660);
  if (env[ENV.socketDir] === undefined) {
    chownSync(dirname(path), process.getuid?.() ?? -1, id);
    chmodSync(dirname(path), 0o750);
  }
}

function groupId(name: string): number {
  for (const line of readFileSync('/etc/group', 'utf8').split('\n')) {
    const [known, , id] = line.split(':');
    if (known === name && id !== undefined) return Number(id);
  }
  throw new Error(`${ENV.socketGroup}: there is no group "${name}" in /etc/group`);
}

function port(text: string | undefined): number {
  if (text === undefined || text === '') return 0; // The system chooses.
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 65535) return value;
  throw new Error(`"${text}" is no TCP port (${ENV.minPort}, ${ENV.maxPort})`);
}
