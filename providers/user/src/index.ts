// Public index of the user provider: questions to the person. The kernel asks them through whatever front end
// is there; nothing here reads an input of its own.
import { defineProvider, fail, interactive } from '@tenon/provider';
import * as z from 'zod';

const choice = z.string().describe('One choice, as it is shown and answered.');

// For a kernel that leaves the asking to the provider: there is no one here to ask.
function refuse(): never {
  throw fail.permissionDenied(
    'this provider has no person to ask: the kernel answers interactive operations itself, and nobody is there now',
  );
}

const askUser = interactive({
  description:
    'Asks the person a question and waits for the answer: free text, or one of the choices. ' +
    'Use it when only the person can decide; say in the question what depends on it.',
  input: z.object({
    question: z.string().describe('One question, complete in itself.'),
    choices: z.array(choice).describe('What can be answered. Absent: any text.').optional(),
    allow_other: z.boolean().describe('Whether another text than a choice is fine.').optional(),
    default: z.string().describe('What an empty answer stands for.').optional(),
  }),
  output: z.object({ answer: z.string().describe('The answer, or the choice.') }),
  handler: refuse,
});

const askUserMany = interactive({
  description:
    'Asks the person to pick any number of the choices, also none, and waits for the answer.',
  input: z.object({
    question: z.string().describe('One question, complete in itself.'),
    choices: z.array(choice).describe('What can be picked.'),
    allow_other: z.boolean().describe('Whether other texts than the choices are fine.').optional(),
  }),
  output: z.object({ answers: z.array(choice).describe('The choices that were picked.') }),
  handler: refuse,
});

/** The provider: ask_user, ask_user_many. */
export const provider = defineProvider({
  name: 'user',
  version: '0.1.0',
  source: '@tenon/provider-user',
  operations: { ask_user: askUser, ask_user_many: askUserMany },
});
