#!/usr/bin/env node
// A whole provider. Run it under a kernel; by hand it only says what it is.
import { dataSource, defineProvider, fail } from '@tenon/provider';
import * as z from 'zod';

const GREETINGS = { en: 'Hello', de: 'Hallo', fr: 'Bonjour' };

const greet = dataSource({
  description: 'Greets somebody.',
  input: z.object({
    name: z.string().describe('Who is greeted'),
    language: z.string().optional().describe('en, de or fr; default en'),
  }),
  output: z.object({ greeting: z.string() }),
  concurrency: { safe: true },
  handler({ args: { name, language = 'en' } }) {
    const word = GREETINGS[language];
    if (!word)
      throw fail.notFound(`no greeting in "${language}"`, { known: Object.keys(GREETINGS) });
    return { greeting: `${word}, ${name}!` };
  },
});

await defineProvider({ name: 'hello', version: '1.0.0', operations: { greet } }).serve();
