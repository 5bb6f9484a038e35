// The kit's end of an adapter: the process, and requests with their answers.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { AdapterReply, AdapterRequest } from './protocol.js';
import { SpawnError, type Target } from '../probe/provider-process.js';
import { within } from '../probe/wait.js';

/** The kernel refused; the message is its own. */
export class AdapterRefusal extends Error {
  constructor(
    message: string,
    readonly unsupported: boolean,
  ) {
    super(message);
  }
}

export interface Adapter {
  readonly pid: number;
  /** Rejects with AdapterRefusal, or an Error when no answer comes. */
  request(request: AdapterRequest, timeoutMs: number): Promise<unknown>;
  /** Ends stdin, then the process. */
  close(): Promise<void>;
}

/** In the adapter's environment, and never to reach a provider (RPC-10). */
export const CANARY = { name: 'TENON_CONFORM_CANARY', value: 'canary-3f9c1d77' };
const CLOSE_MS = 5_000;

/** @throws SpawnError */
export async function openAdapter(target: Target): Promise<Adapter> {
  const child = spawn(target.command, [...target.args], {
    env: { ...process.env, ...target.env, [CANARY.name]: CANARY.value },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new SpawnError(`cannot start ${target.command}: ${error.message}`)),
    );
  });
  const waiting = new Map<number, (reply: AdapterReply) => void>();
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => {
    stderr = (stderr + data.toString()).slice(-2_000);
  });
  // A closed pipe shows as a request without an answer.
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = parseReply(line);
    if (reply !== undefined) waiting.get(reply.id)?.(reply);
  });
  let exit: string | undefined;
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      exit = `the adapter exited with ${code ?? signal}`;
      for (const [id, answer] of waiting) answer({ id, ok: false, error: exit });
      resolve();
    });
  });
  let next = 0;
  return {
    pid: child.pid ?? 0,
    request: async (request, timeoutMs) => {
      next += 1;
      const id = next;
      const answered = new Promise<AdapterReply>((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      const reply = exit === undefined ? await within(answered, timeoutMs) : undefined;
      waiting.delete(id);
      if (reply === undefined) {
        throw new Error(
          `${exit ?? `no answer to ${request.op} within ${timeoutMs} ms`}; stderr: ${stderr}`,
        );
      }
      if (!reply.ok) throw new AdapterRefusal(reply.error, reply.unsupported === true);
      return reply.answer;
    },
    close: async () => {
      child.stdin.end();
      if (
        (await within(
          exited.then(() => true),
          CLOSE_MS,
        )) === undefined
      ) {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
        await exited;
      }
    },
  };
}

function parseReply(line: string): AdapterReply | undefined {
  try {
    return JSON.parse(line) as AdapterReply;
  } catch {
    return undefined; // A stray line of the kernel's own; requests without an answer time out.
  }
}
