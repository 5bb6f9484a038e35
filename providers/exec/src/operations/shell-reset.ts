// shell_reset: ends a named session with everything that runs in it.
import { literalKey, resource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import type { Sessions } from '../shell/sessions.js';

export const shellReset = (sessions: Sessions) =>
  resource({
    description: 'Ends a shell session of bash, with its background processes; its state is gone.',
    risk: 'moderate',
    input: z.object({ session: z.string().describe('Name of the session.') }),
    output: z.object({ existed: z.boolean().describe('Whether there was such a session.') }),
    config,
    concurrency: { safe: true },
    keys: [literalKey('session', 'session')],
    timeout: 30_000,
    idempotent: true,
    async handler({ args, config: settings }) {
      return { existed: await sessions.reset(args.session, settings.grace_seconds * 1000) };
    },
  });
