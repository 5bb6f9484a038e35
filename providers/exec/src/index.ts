// Public index of the exec provider.
import { defineProvider } from '@tenon/provider';
import { config } from './config.js';
import { bash } from './operations/bash.js';
import { shellRead } from './operations/shell-read.js';
import { shellReset } from './operations/shell-reset.js';
import { startWatchdog } from './processes/watchdog.js';
import { createSessions } from './shell/sessions.js';

const sessions = createSessions();

/** The provider: bash, shell_read, shell_reset. */
export const provider = defineProvider({
  name: 'exec',
  version: '0.1.0',
  source: '@tenon/provider-exec',
  config,
  operations: {
    bash: bash(sessions),
    shell_read: shellRead(),
    shell_reset: shellReset(sessions),
  },
  // Before the first command, so that no call is the one that leaves a process behind.
  onConfigure: () => startWatchdog(),
  onShutdown: () => sessions.closeAll(),
});
