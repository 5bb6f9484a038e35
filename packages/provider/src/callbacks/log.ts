// The log that handlers write to. Entries go to the kernel; secrets are masked on the way (CFG-02).
import { checkJson, type JsonObject, type LogEntry, type LogLevel } from '@tenon/protocol';
import type { SecretMask } from '../secrets/mask.js';

type Write = (message: string, fields?: JsonObject) => void;

/** Structured log, six levels. `fatal` is a label: nothing ends because of it. Never throws. */
export interface Log {
  readonly trace: Write;
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
}

export function createLog(
  logger: string,
  mask: SecretMask,
  send: (entry: LogEntry) => void,
  always: JsonObject = {},
): Log {
  const at =
    (level: LogLevel): Write =>
    (message, fields = {}) => {
      const all = { ...always, ...fields };
      send({
        level,
        logger,
        message: mask.text(message),
        fields: mask.json(
          checkJson(all).ok ? all : { ...always, dropped: 'fields that are no JSON' },
        ),
        time: Date.now(),
      });
    };
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}

/** One line for stderr, for when there is no kernel that takes the entry. */
export function logLine(entry: LogEntry): string {
  const fields = Object.keys(entry.fields).length === 0 ? '' : ` ${JSON.stringify(entry.fields)}`;
  return `${entry.level} ${entry.logger}: ${entry.message}${fields}\n`;
}
