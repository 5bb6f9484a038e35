// The list of all checks of a provider: data alone, so that listing them loads nothing else. The code of a group
// is in the file of its name beside this one.
import type { CheckInfo } from '../model/check.js';

type Row = readonly [name: string, requirements: string, title: string, advisory?: 'advisory'];

/** Checks marked 'advisory' ask for more than the requirement says; a failure of one warns. */
const ROWS = {
  handshake: [
    ['no_cookie', 'RPC-08', 'without the magic cookie the program refuses to run'],
    ['wrong_cookie', 'RPC-08', 'with a wrong cookie the program refuses to run'],
    ['one_line', 'RPC-08', 'exactly one line is printed on stdout, and it is the handshake'],
    [
      'version',
      'RPC-08',
      'a host that wants another protocol version is not told that it is spoken',
    ],
    ['health', 'RPC-08', 'the health service reports "plugin" as SERVING'],
    ['tls_off', 'RPC-08', 'a host that offers no certificate is served in plain text'],
    ['tls_on', 'RPC-08', 'a host that offers a certificate gets mutual TLS', 'advisory'],
    ['reflection', 'RPC-08', 'server reflection, if served, names the tool service', 'advisory'],
    ['stdio', 'RPC-08', 'the stdio service streams, or is not implemented', 'advisory'],
    [
      'other_services',
      'RPC-08',
      'services of other categories are UNIMPLEMENTED at once',
      'advisory',
    ],
    ['shutdown', 'RPC-08', 'the Shutdown call ends the process and everything it started'],
    ['socket_removed', 'RPC-08', 'no socket file is left after Shutdown', 'advisory'],
    ['sigterm', 'RPC-08', 'SIGTERM ends the process'],
    ['sigint', 'RPC-08', 'SIGINT is ignored: the host decides', 'advisory'],
    ['host_death', 'RPC-08', 'the process ends by itself when its host has died', 'advisory'],
    ['start_up', 'RPC-08', 'it is ready within ten seconds', 'advisory'],
  ],
  schema: [
    ['answered', 'RPC-01', 'GetSchema answers with a message that can be read'],
    ['identity', 'RPC-02', 'Describe names this build completely'],
    ['subset', 'SCH-01', 'schemas stay in the common subset'],
    ['names', 'SCH-02', 'operations have names of their own, and descriptions'],
    ['roots', 'SCH-03', 'schemas hold together'],
    ['slash_commands', 'SCH-04', 'slash commands are complete'],
    ['kind', 'KND-01', 'every operation has a kind'],
    ['risk', 'KND-02', 'every risk fits its kind'],
    ['concurrency', 'CON-01', 'every operation says whether calls may overlap'],
    ['interactive', 'CON-03', 'interactive operations declare no ConcurrencySpec'],
    ['key_fields', 'CON-07', 'key_fields are declared properties, beside safe = true'],
    ['derived_keys', 'OPEN-02', 'derived lock keys lead to arguments that there are'],
    ['timeout', 'TMO-01', 'every operation has a default_timeout'],
    ['hook_points', 'HKP-01', 'the hook points are known ones'],
    ['terminates_turn', 'TRM-01', 'only resources end the turn'],
    ['settings', 'CFG-01', 'the config schema holds together'],
  ],
  configure: [
    ['accepts', 'RPC-01', 'Configure accepts a valid configuration'],
    ['missing_required', 'CFG-01', 'a missing required setting is refused by Configure'],
    ['wrong_types', 'CFG-01', 'a setting of the wrong type is refused by Configure'],
    [
      'unknown_keys',
      'CFG-01',
      'a setting that is not declared is refused by Configure',
      'advisory',
    ],
    ['structured', 'CFG-01', 'the refusal carries an ErrorInfo with its category', 'advisory'],
    ['defaults', 'CFG-01', 'the required settings alone are enough'],
    ['boundaries', 'CFG-03', 'what lies beyond a configured boundary is refused'],
  ],
  invoke: [
    ['valid', 'RPC-01', 'valid calls end as the case file says'],
    ['streaming', 'RPC-03', 'the outcome of a call is an event of its stream'],
    ['invalid', 'ERR-03', 'arguments that break the input_schema end in invalid_arguments'],
    [
      'undeclared',
      'ERR-03',
      'an argument that is not declared ends in invalid_arguments',
      'advisory',
    ],
    ['unknown_tool', 'RPC-09', 'an unknown operation ends in not_found'],
    ['missing_context', 'RPC-01', 'a call without context is answered'],
    ['oversized', 'RPC-01', 'a call of 6 MiB is answered or refused, and survived'],
    ['malformed', 'RPC-01', 'malformed messages on every method are answered, and survived'],
    ['relative_path', 'RPC-06', 'relative paths start in the working directory of the call'],
    ['payload', 'OUT-01', 'results fit their output_schema'],
  ],
  errors: [
    ['classified', 'ERR-01', 'different failures have different categories'],
    ['complete', 'ERR-02', 'errors have a message, and details only as an object'],
    ['not_found', 'ERR-04', 'what is not there ends in not_found'],
    ['permission_denied', 'ERR-05', 'what is refused ends in permission_denied'],
    ['execution_failed', 'ERR-06', 'what ran and failed ends in execution_failed'],
    ['timeout', 'ERR-07', "the provider's own deadlines end in timeout"],
    ['conflict', 'ERR-08', 'calls in each other’s way end in concurrency_conflict'],
    ['allowed', 'ERR-11', 'neither process_crashed nor an unspecified category is ever sent'],
    ['unknown', 'ERR-12', 'unknown carries the error beneath it in details'],
  ],
  events: [
    ['one_end', 'EVT-01', 'one result or error ends each stream, and nothing follows'],
    ['exit_status', 'EVT-02', 'calls that ran a process report one exit_status'],
    ['no_process', 'EVT-03', 'operations without a process report no exit_status'],
    ['declared', 'EVT-04', 'only operations that declare streaming stream'],
    ['order', 'EVT-05', 'output arrives in the order in which it was written'],
  ],
  cancellation: [
    ['cleans_up', 'CAN-02', 'a cancelled call leaves no processes and no open files'],
    ['any_moment', 'CAN-02', 'cancelling at any moment leaves the provider working'],
    ['report', 'CAN-03', 'a cancelled resource reports what it has done'],
    ['no_success', 'CAN-04', 'a cancelled call claims no success'],
    ['category', 'ERR-09', 'a cancelled call ends as cancelled, or silently'],
  ],
  concurrency: [
    ['side_by_side', 'CON-01', 'operations declared safe answer while another call runs'],
    ['same_answers', 'CON-01', 'operations declared safe answer the same alone and together'],
  ],
  idempotence: [
    ['twice', 'RTY-01', 'an operation declared idempotent leaves the same state run once or twice'],
  ],
  purity: [
    ['reads', 'KND-04', 'data_source operations change nothing'],
    ['previews', 'PRV-02', 'Preview changes nothing'],
  ],
  determinism: [
    ['schema', 'RPC-04', 'GetSchema answers the same each time, also before Configure'],
    ['render', 'RND-01', 'Render answers a payload with a tree, twice the same'],
    ['old_payloads', 'RND-03', 'payloads of older schema versions are rendered or refused clearly'],
    ['preview', 'PRV-01', 'Preview answers with a tree, twice the same'],
  ],
  robustness: [
    [
      'many_calls',
      'RPC-01',
      'a thousand calls leave descriptors, memory and children as they were',
    ],
    ['at_once', 'RPC-01', '64 calls at once are all answered'],
  ],
  secrets: [
    ['nowhere', 'CFG-02', 'no secret of the configuration is in anything that was ever emitted'],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

type Rows = typeof ROWS;
export type ProviderGroup = keyof Rows;
/** The names of the checks of one group. */
export type CheckName<G extends ProviderGroup> = Rows[G][number][0];

/** All checks, in the order in which they are reported. */
export const CHECKS: readonly CheckInfo[] = Object.entries(ROWS).flatMap(([group, rows]) =>
  (rows as readonly Row[]).map(([name, requirements, title, advisory]) => ({
    id: `${group}.${name}`,
    group,
    requirements: requirements.split(' '),
    title,
    ...(advisory === undefined ? {} : { advisory: true as const }),
  })),
);
