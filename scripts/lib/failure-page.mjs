// The page "What happens when a tool fails": made from the category table, and from the reactions that the kernel's
// own function gives, so that it cannot say something else than what the kernel does.
const KINDS = [
  { name: 'data_source', failure: { kind: 'data_source', idempotent: false } },
  { name: 'idempotent resource', failure: { kind: 'resource', idempotent: true } },
  { name: 'other resource', failure: { kind: 'resource', idempotent: false } },
  { name: 'interactive', failure: { kind: 'interactive', idempotent: false } },
];

const WORDS = {
  surface: 'no',
  withhold: 'no',
  retry: 'yes',
  retry_serialized: 'yes, serialized',
};

/** What the breaker makes of an outcome that is not in the table's own column. */
const GOOD = new Set(['invalid_arguments', 'not_found', 'permission_denied', 'execution_failed']);

/**
 * @param {{ categories: object, react: Function, settings: object }} from the category table, the kernel's react
 *   function and its default settings
 */
export function failurePage({ categories, react, settings }) {
  const rows = Object.values(categories);
  const { retry, breaker } = settings;
  const reactions = (row, retryable) =>
    KINDS.map(({ failure }) => {
      const reaction = react(
        { category: row.category, retryable, attempt: 1, turnAborting: false, ...failure },
        { maxAttempts: retry.maxAttempts, delayMs: 0, remainingMs: 1 },
      );
      return WORDS[reaction.type];
    });
  return [
    '# What happens when a tool fails',
    '',
    'Every failure has a category. The category says what the model sees, whether the kernel tries again by itself,',
    'and what it counts for. Everything is in the journal, whatever the model sees: each attempt with its start and its',
    'end, what was streamed, the error with its details, the reaction and why.',
    '',
    '| category | when | what the model sees | counts at the breaker as |',
    '|---|---|---|---|',
    ...rows.map(
      (row) => `| \`${row.category}\` | ${row.meaning} | ${row.modelSees} | ${counts(row)} |`,
    ),
    '',
    '## What is tried again',
    '',
    'Of an error that says `retryable: true`, by the kind of the operation:',
    '',
    `| category | ${KINDS.map(({ name }) => name).join(' | ')} |`,
    `|---|${KINDS.map(() => '---|').join('')}`,
    ...rows.map((row) => `| \`${row.category}\` | ${reactions(row, true).join(' | ')} |`),
    '',
    `Of one that says \`retryable: false\`, only ${rows
      .filter((row) => reactions(row, false).some((word) => word.startsWith('yes')))
      .map((row) => `\`${row.category}\``)
      .join(', ')} is: that retry is about order, not about the safety of a second run.`,
    '',
    `- At most ${retry.maxAttempts} attempts, ${retry.baseMs} ms apart at first, ${retry.factor} times as long each time, less a random part of up to`,
    `  ${retry.jitter * 100} %; no attempt begins that the deadline of the call, or ${retry.maxTotalMs / 1000} s in all, would not leave time for.`,
    '- "Serialized": the next attempt keeps the keys of the call locked. If it has none, or if that did not help, it waits',
    '  until it has the provider for itself.',
    '- The model sees how the last attempt ended, and nothing of those before.',
    '- `retryable` is what the error says. An error that does not say gets the default of its category:',
    `  ${rows
      .filter((row) => row.defaultRetryable)
      .map((row) => `\`${row.category}\``)
      .join(', ')} are retryable.`,
    '',
    '## Deadlines',
    '',
    "A call has one deadline for all of its attempts. It is the override of the caller, else the operator's for that",
    `operation, else what the operation declares, else ${settings.defaultTimeoutMs / 1000} s. It starts when the call holds its locks and its`,
    'provider runs. **Progress does not extend it**: it is the ceiling. At the deadline the call is cancelled, as by a',
    `person. An operation that has not ended ${settings.cancelGraceMs / 1000} s after its cancellation is ended with its provider; other calls that were`,
    'running there are told which operation it was.',
    '',
    '## Crashes',
    '',
    'A process that exits, is killed, closes its stdout, loses its connection or does not answer a health check within',
    `${settings.pingTimeoutMs / 1000} s while calls run ends all of its calls as \`process_crashed\`, with exit code or signal and its last lines on stderr.`,
    'The next call starts it again; a provider that keeps dying is started ever less often. A living provider that answers',
    "with gRPC's UNAVAILABLE has not crashed: the process is looked at, not the code alone.",
    '',
    '## Streams that break the rules',
    '',
    'No terminal event, two of them, anything after it, two exit statuses, output from an operation that does not stream,',
    'a result that does not fit its output schema: each is `unknown`, with the id of the requirement and the evidence in its',
    'details. What the operation has done is not known then, and the message says so.',
    '',
    '## The circuit breaker',
    '',
    `Denials and crashes of a provider count together, per session: ${breaker.consecutive} in a row, or ${breaker.windowBad} of the last ${breaker.windowSize}, and calls to that`,
    `provider are refused at once for ${breaker.cooldownMs / 1000} s. Then one call is let through: if it goes well, all are again. One crash counts`,
    "once, however many calls it took with it. An error of the operation's own is a provider that works, and ends the",
    'streak; a timeout, a cancellation or an unknown error neither counts nor ends it.',
    '',
  ].join('\n');
}

function counts(row) {
  if (row.countsAgainstBreaker) return 'bad';
  return GOOD.has(row.category) ? 'good' : 'nothing';
}
