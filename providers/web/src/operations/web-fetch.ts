// web_fetch: a page, by GET alone.
import { dataSource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { present } from '../content/present.js';
import { ask } from '../net/ask.js';
import { statusFailure } from '../net/failure.js';

const EXCERPT = 2_000;

export const webFetch = dataSource({
  description:
    'Gets a URL by GET and gives its content: a web page as markdown, JSON and text as they are. Only public ' +
    'addresses, unless the operator allows others; redirects are followed and checked.',
  input: z.object({
    url: z.string().describe('A complete URL, http or https.'),
    raw: z.boolean().describe('Give HTML as it is instead of as markdown.').optional(),
  }),
  output: z.object({
    url: z.string().describe('Where the content came from in the end.'),
    status: z.number().describe('HTTP status.'),
    content_type: z.string().describe('As the server said it.'),
    title: z.string().describe('Of a web page; else empty.'),
    content: z.string().describe('The content.'),
    truncated: z.boolean().describe('Whether content or body were cut.'),
    redirects: z.array(z.string().describe('A URL.')).describe('Asked before the last one.'),
  }),
  config,
  streaming: true,
  concurrency: { safe: true },
  timeout: 60_000,
  async handler({ args, signal, emit, config: settings }) {
    let shown = 0;
    const answer = await ask({
      method: 'GET',
      url: args.url,
      headers: {
        accept: 'text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.5',
      },
      config: settings,
      signal,
      async onProgress(bytes, total) {
        // Once per quarter of a megabyte.
        if (bytes - shown < 262_144) return;
        shown = bytes;
        const fraction =
          total === undefined ? undefined : Math.min(1, bytes / Math.max(total, bytes));
        await emit.progress(`${bytes} bytes`, fraction);
      },
    });
    const contentType = answer.headers['content-type'] ?? '';
    const shownAs = present(answer.body, contentType, answer.url, {
      raw: args.raw ?? false,
      maxCharacters: settings.max_characters,
    });
    if (answer.status >= 400) {
      throw statusFailure(answer.url, answer.status, shownAs.content.slice(0, EXCERPT));
    }
    return {
      url: answer.url.href,
      status: answer.status,
      content_type: contentType,
      title: shownAs.title,
      content: shownAs.content,
      truncated: answer.truncated || shownAs.truncated,
      redirects: [...answer.redirects],
    };
  },
});
