// Finds out why a program could not be run, by looking at the file: the operating system only says
// "no such file" or "exec format error". Works on the command that failed; starts nothing.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

const HEAD_BYTES = 4096;

const ELF_MACHINES: Readonly<Record<number, string>> = {
  3: 'ia32',
  8: 'mips',
  20: 'ppc',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  258: 'loong64',
};

/**
 * A sentence that names the cause and the remedy, or undefined when the file looks sound.
 * `stderrTail` is read for the dynamic loader's complaint about a missing library.
 */
export function diagnoseCommand(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string | undefined,
  stderrTail: readonly string[] = [],
): string | undefined {
  if (cwd !== undefined && !isDirectory(cwd)) {
    return `the working directory ${cwd} does not exist`;
  }
  const file = locate(command, env, cwd);
  if (file === undefined) {
    return command.includes('/') || command.includes('\\')
      ? `${command} does not exist`
      : `"${command}" was not found on the plugin's PATH (${env.PATH ?? 'unset'})`;
  }
  if (isDirectory(file)) return `${file} is a directory, not a program`;
  if (!isExecutable(file)) return `${file} is not executable; run: chmod +x ${file}`;
  return missingLibrary(file, stderrTail) ?? inspect(file);
}

function locate(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string | undefined,
): string | undefined {
  if (isAbsolute(command)) return existsSync(command) ? command : undefined;
  if (command.includes('/')) {
    const file = resolve(cwd ?? process.cwd(), command);
    return existsSync(file) ? file : undefined;
  }
  const files = (env.PATH ?? '/usr/bin:/bin')
    .split(delimiter)
    .filter((dir) => dir !== '')
    .map((dir) => join(dir, command))
    .filter((file) => existsSync(file) && !isDirectory(file));
  return files.find(isExecutable) ?? files[0];
}

function missingLibrary(file: string, stderrTail: readonly string[]): string | undefined {
  for (const line of stderrTail) {
    const linux = /error while loading shared libraries: ([^:]+): (.+)/.exec(line);
    if (linux !== null) {
      return `${file} needs the shared library ${linux[1]}, which could not be loaded (${linux[2]})`;
    }
    const musl = /Error loading shared library ([^:]+): (.+)/.exec(line);
    if (musl !== null) {
      return `${file} needs the shared library ${musl[1]}, which could not be loaded (${musl[2]})`;
    }
    const mac = /Library not loaded: (.+)/.exec(line);
    if (mac !== null) return `${file} needs the shared library ${mac[1]}, which is not there`;
  }
  return undefined;
}

function inspect(file: string): string | undefined {
  const head = readHead(file);
  if (head === undefined) return undefined;
  if (head.length === 0) return `${file} is empty`;
  if (head.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'))) return inspectElf(file, head);
  if (head.subarray(0, 2).toString('latin1') === '#!') return inspectScript(file, head);
  const magic = head.length >= 4 ? head.readUInt32BE(0) : 0;
  const machO = [0xcafebabe, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(magic);
  if (machO && process.platform !== 'darwin') return `${file} is a program for macOS`;
  if (head.subarray(0, 2).toString('latin1') === 'MZ' && process.platform !== 'win32') {
    return `${file} is a program for Windows`;
  }
  if (machO || process.platform === 'win32') return undefined;
  return head.includes(0)
    ? `${file} is no program that this system knows`
    : `${file} is a script without a first line that names its interpreter (like ` +
        '"#!/usr/bin/env node"), so the system ran it as a shell script';
}

function inspectElf(file: string, head: Buffer): string | undefined {
  if (process.platform !== 'linux') return `${file} is a program for Linux`;
  if (head.length < 64) return `${file} is cut off: its ELF header is not complete`;
  const little = head.readUInt8(5) === 1;
  const machine = little ? head.readUInt16LE(18) : head.readUInt16BE(18);
  const arch = ELF_MACHINES[machine] ?? `machine ${machine}`;
  if (arch !== process.arch) {
    return `${file} was built for ${arch}, this machine is ${process.arch}`;
  }
  const loader = elfInterpreter(head);
  return loader !== undefined && !existsSync(loader)
    ? `${file} needs the dynamic loader ${loader}, which is not on this machine (it was built ` +
        'against another C library)'
    : undefined;
}

// The path in the PT_INTERP segment of a 64-bit little-endian program.
function elfInterpreter(head: Buffer): string | undefined {
  if (head.readUInt8(4) !== 2 || head.readUInt8(5) !== 1) return undefined;
  const table = Number(head.readBigUInt64LE(32));
  const entrySize = head.readUInt16LE(54);
  const entries = head.readUInt16LE(56);
  for (let index = 0; index < entries; index += 1) {
    const at = table + index * entrySize;
    if (at + 40 > head.length) return undefined;
    if (head.readUInt32LE(at) !== 3) continue;
    const start = Number(head.readBigUInt64LE(at + 8));
    const size = Number(head.readBigUInt64LE(at + 32));
    return head.toString('utf8', start, start + size).replace(/\0+$/, '') || undefined;
  }
  return undefined;
}

function inspectScript(file: string, head: Buffer): string | undefined {
  const line = head.toString('utf8', 2).split('\n', 1)[0] ?? '';
  if (line.endsWith('\r')) {
    return `${file} has Windows line ends, so that its interpreter is looked up as "${line.trim()}\\r"`;
  }
  const interpreter = line.trim().split(/\s+/, 1)[0] ?? '';
  return interpreter !== '' && !existsSync(interpreter)
    ? `${file} is a script for ${interpreter}, which is not on this machine`
    : undefined;
}

function readHead(file: string): Buffer | undefined {
  const buffer = Buffer.alloc(HEAD_BYTES);
  try {
    const fd = openSync(file, 'r');
    try {
      return buffer.subarray(0, readSync(fd, buffer, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // Executable but not readable: it may well run, and nothing can be said.
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // Not there or not to be seen: no directory for our purpose.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // The question was whether it is; the reason does not matter.
  }
}
