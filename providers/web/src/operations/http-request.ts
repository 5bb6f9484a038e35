// http_request: any method, to APIs that change something.
import { fail, resource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { present } from '../content/present.js';
import { ask } from '../net/ask.js';
import { statusFailure } from '../net/failure.js';
import { checkUrl } from '../net/policy.js';

/** Set by the connection itself, or meant for the hop. */
const REFUSED_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;
const EXCERPT = 2_000;

const header = z.object({
  name: z.string().describe('Such as Content-Type.'),
  value: z.string().describe('Its value.'),
});

const input = z.object({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  url: z.string().describe('A complete URL, http or https.'),
  headers: z.array(header).describe('Headers to send.').optional(),
  body: z.string().describe('The body, as text.').optional(),
});

export const httpRequest = resource({
  description:
    'Sends an HTTP request of any method and gives status, headers and body. For reading a page use web_fetch. ' +
    'An answer of status 400 and above is a failure, with the status and the start of the body.',
  risk: 'high',
  input,
  output: z.object({
    url: z.string().describe('What answered in the end.'),
    status: z.number().describe('HTTP status.'),
    headers: z.array(header).describe('Headers of the answer.'),
    body: z.string().describe('The body as text.'),
    truncated: z.boolean().describe('Whether the body was cut.'),
  }),
  config,
  concurrency: { safe: true },
  timeout: 60_000,
  preview({ args, config: settings }) {
    const url = checkUrl(args.url, settings);
    const headers = (args.headers ?? []).map(({ name, value }) => `${name}: ${value}`);
    const lines = [`${args.method} ${url.pathname}${url.search}`, `Host: ${url.host}`, ...headers];
    const body = args.body === undefined ? [] : ['', args.body];
    return {
      root: { type: 'code_block', language: 'http', content: [...lines, ...body].join('\n') },
    };
  },
  async handler({ args, signal, config: settings }) {
    const answer = await ask({
      method: args.method,
      url: args.url,
      headers: headersOf(args.headers ?? []),
      ...(args.body === undefined ? {} : { body: args.body }),
      config: settings,
      signal,
    });
    const contentType = answer.headers['content-type'] ?? '';
    const shown = present(answer.body, contentType, answer.url, {
      raw: true,
      maxCharacters: settings.max_characters,
    });
    if (answer.status >= 400) {
      throw statusFailure(answer.url, answer.status, shown.content.slice(0, EXCERPT));
    }
    return {
      url: answer.url.href,
      status: answer.status,
      headers: Object.entries(answer.headers).map(([name, value]) => ({ name, value })),
      body: shown.content,
      truncated: answer.truncated || shown.truncated,
    };
  },
});

function headersOf(given: readonly z.infer<typeof header>[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [index, { name, value }] of given.entries()) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n\0]/.test(value)) {
      throw fail.invalidArguments(
        `/headers/${index}: "${name}" or its value cannot stand in a header`,
      );
    }
    if (REFUSED_HEADERS.test(name)) {
      throw fail.invalidArguments(
        `/headers/${index}/name: ${name} is set by the connection itself`,
      );
    }
    headers[name] = value;
  }
  return headers;
}
