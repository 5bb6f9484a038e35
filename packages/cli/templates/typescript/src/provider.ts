// The provider: what it offers and what it does. `npm run conform` checks it.
import { writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { dataSource, defineProvider, fail, pathKey, resource } from '@tenon/provider';
import * as z from 'zod';

const GREETINGS: Readonly<Record<string, string>> = { en: 'Hello', de: 'Hallo', fr: 'Bonjour' };

function greetingFor(name: string, language = 'en'): string {
  const word = Object.hasOwn(GREETINGS, language) ? GREETINGS[language] : undefined;
  // A failure has a category, so that the kernel knows what to do with it.
  if (word === undefined) {
    throw fail.notFound(`there is no greeting in "${language}"`, { known: Object.keys(GREETINGS) });
  }
  return `${word}, ${name}!`;
}

/** Relative paths are relative to the working directory of the call, and lead nowhere else. */
function inside(workingDirectory: string, path: string): string {
  const target = resolve(workingDirectory, path);
  if (relative(workingDirectory, target).startsWith('..')) {
    throw fail.permissionDenied(`${path} is outside of the working directory`);
  }
  return target;
}

const name = z.string().describe('Who is greeted.');
const language = z.string().describe('en, de or fr; default en.').optional();

// Reads: nothing changes, so it needs no approval.
const greet = dataSource({
  description: 'Greets somebody.',
  input: z.object({ name, language }),
  output: z.object({ greeting: z.string() }),
  concurrency: { safe: true },
  timeout: 5_000,
  handler: ({ args }) => ({ greeting: greetingFor(args.name, args.language) }),
});

// Changes a file: it is planned and approved first, and the preview shows what it would do.
const writeGreeting = resource({
  description: 'Writes a greeting to a file.',
  risk: 'low',
  input: z.object({ path: z.string().describe('The file.'), name, language }),
  output: z.object({ bytes: z.number() }),
  // Writing the same greeting twice is the same as writing it once, so it may be retried.
  idempotent: true,
  concurrency: { safe: true, keyFields: ['path'] },
  keys: [pathKey('path', 'files')],
  timeout: 5_000,
  preview: ({ args }) => ({
    root: { type: 'code_block', content: greetingFor(args.name, args.language) },
  }),
  async handler({ args, call }) {
    const text = `${greetingFor(args.name, args.language)}\n`;
    await writeFile(inside(call.context.workingDirectory, args.path), text);
    return { bytes: Buffer.byteLength(text) };
  },
});

export const provider = defineProvider({
  name: '__PROVIDER__',
  version: '0.1.0',
  operations: { greet, write_greeting: writeGreeting },
});
