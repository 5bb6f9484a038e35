// One request with its redirects: every step is checked like the first, read up to a limit, and closed.
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Readable, pipeline } from 'node:stream';
import { fail } from '@tenon/provider';
import { type Dispatcher, request } from 'undici';
import type { WebConfig } from '../config.js';
import { dispatcherFor, type Resolve } from './dispatcher.js';
import { networkFailure } from './failure.js';
import { checkUrl } from './policy.js';

export interface WebRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly config: WebConfig;
  readonly signal: AbortSignal;
  /** For tests: another name service. */
  readonly resolve?: Resolve;
  /** Told how much has come; `total` where the server said it. */
  readonly onProgress?: (bytes: number, total: number | undefined) => Promise<void>;
}

export interface WebAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** After decompression, up to the limit. */
  readonly body: Buffer;
  readonly truncated: boolean;
  /** The URLs asked before this one. */
  readonly redirects: readonly string[];
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Not sent on to another origin. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Throws ToolError. An answer of 400 and above is an answer. */
export async function ask(wanted: WebRequest): Promise<WebAnswer> {
  const { config } = wanted;
  // Not AbortSignal.timeout: that would keep all of this until the time is over, also when the answer came at once.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), config.timeout_seconds * 1000);
  try {
    return await askInTime(wanted, timeout.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function askInTime(wanted: WebRequest, timeout: AbortSignal): Promise<WebAnswer> {
  const { config } = wanted;
  const signal = AbortSignal.any([wanted.signal, timeout]);
  const redirects: string[] = [];
  let step: Omit<WebRequest, 'url'> & { url: URL } = {
    ...wanted,
    url: checkUrl(wanted.url, config),
  };
  for (;;) {
    try {
      const answer = await askOnce(step, signal);
      const location = answer.headers['location'];
      if (!REDIRECTS.has(answer.status) || location === undefined) return { ...answer, redirects };
      if (redirects.length >= config.max_redirects) {
        throw fail.executionFailed(
          `${wanted.url} redirects more than ${config.max_redirects} times; the last one led to ${location}`,
        );
      }
      redirects.push(step.url.href);
      step = redirected(step, answer.status, location);
    } catch (error) {
      wanted.signal.throwIfAborted();
      if (timeout.aborted) {
        throw fail.timeout(`${step.url.href} took longer than ${config.timeout_seconds} s`, {
          url: step.url.href,
        });
      }
      throw networkFailure(error, step.url);
    }
  }
}

function redirected<T extends Omit<WebRequest, 'url'> & { url: URL }>(
  step: T,
  status: number,
  location: string,
): T {
  const url = checkUrl(new URL(location, step.url).href, step.config);
  const turnsToGet =
    status === 303 || ((status === 301 || status === 302) && step.method === 'POST');
  const sameOrigin = url.origin === step.url.origin;
  const headers = Object.fromEntries(
    Object.entries(step.headers).filter(([name]) => {
      const lower = name.toLowerCase();
      if (!sameOrigin && PRIVATE_HEADERS.has(lower)) return false;
      return !(turnsToGet && lower.startsWith('content-'));
    }),
  );
  const { body, ...rest } = step;
  const kept = turnsToGet || body === undefined ? {} : { body };
  const method = turnsToGet && step.method !== 'HEAD' ? 'GET' : step.method;
  return { ...rest, ...kept, method, url, headers } as T;
}

async function askOnce(
  step: Omit<WebRequest, 'url'> & { url: URL },
  signal: AbortSignal,
): Promise<Omit<WebAnswer, 'redirects'>> {
  const { url, config } = step;
  const dispatcher = dispatcherFor(url, config, step.resolve);
  try {
    const answer = await request(url, {
      method: step.method,
      headers: {
        'user-agent': config.user_agent,
        'accept-encoding': 'gzip, deflate, br',
        ...step.headers,
      },
      ...(step.body === undefined ? {} : { body: step.body }),
      dispatcher,
      signal,
    });
    const headers = flat(answer.headers);
    const read = await readBody(answer.body, headers, step);
    return { url, status: answer.statusCode, headers, ...read };
  } finally {
    await dispatcher.destroy();
  }
}

async function readBody(
  raw: Readable,
  headers: Readonly<Record<string, string>>,
  step: Omit<WebRequest, 'url'>,
): Promise<{ body: Buffer; truncated: boolean }> {
  const limit = step.config.max_bytes;
  const length = Number(headers['content-length']);
  const total = Number.isFinite(length) ? length : undefined;
  const body = decompressed(raw, headers['content-encoding']);
  const parts: Buffer[] = [];
  let bytes = 0;
  let truncated = false;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, limit - bytes));
    bytes += part.length;
    await step.onProgress?.(Math.min(bytes, limit), total);
    if (bytes > limit) {
      truncated = true;
      break;
    }
  }
  // What is not wanted any more is not read either.
  raw.destroy();
  return { body: Buffer.concat(parts), truncated };
}

function decompressed(raw: Readable, encoding: string | undefined): Readable {
  const make = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[(encoding ?? '').trim().toLowerCase()];
  // The reader sees the error of either of the two.
  return make === undefined ? raw : pipeline(raw, make(), () => undefined);
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
