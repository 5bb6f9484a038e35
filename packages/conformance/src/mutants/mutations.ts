// The mutants: each name is a `--mutation` of fixtures/raw-provider.ts that breaks exactly one thing. The tests run
// the kit against each and look at what it finds.

export interface Mutation {
  readonly name: string;
  /** The requirement that it breaks, and that a check has to be found failing for. */
  readonly breaks: string;
  /** Requirements that cannot hold either, as they say the same of another moment. */
  readonly also?: readonly string[];
  /** Groups to run in the short form of the test; default: those of `breaks` and the cheap ones. */
  readonly groups: readonly string[];
  /** Breaks what a check asks for beyond the letter: it warns. */
  readonly warns?: true;
  /** Run in the long form alone: it takes many seconds by its nature, or another one shows nearly the same. */
  readonly slow?: true;
}

const m = (
  name: string,
  breaks: string,
  groups: string,
  rest: Omit<Mutation, 'name' | 'breaks' | 'groups'> = {},
): Mutation => ({ name, breaks, groups: groups.split(' '), ...rest });

// A provider that does not come up is refused by every check that starts one; all of them are RPC-08's.
export const MUTATIONS: readonly Mutation[] = [
  m('no-cookie-check', 'RPC-08', 'handshake.no_cookie handshake.wrong_cookie'),
  m('log-first', 'RPC-08', 'handshake.one_line'),
  m('second-line', 'RPC-08', 'handshake.one_line'),
  m('version-echo', 'RPC-08', 'handshake.version'),
  m('not-serving', 'RPC-08', 'handshake.health'),
  m('no-shutdown', 'RPC-08', 'handshake.shutdown'),
  m('ignores-sigterm', 'RPC-08', 'handshake.sigterm', { slow: true }),
  m('tls-unasked', 'RPC-08', 'handshake.tls_off'),
  m('no-tls', 'RPC-08', 'handshake.tls_on schema', { warns: true }),
  m('tls-for-all', 'RPC-08', 'handshake.tls_on', { warns: true }),
  m('sigint-dies', 'RPC-08', 'handshake.sigint', { warns: true }),
  m('socket-left', 'RPC-08', 'handshake.socket_removed', { warns: true }),
  m('outlives-host', 'RPC-08', 'handshake.host_death', { warns: true, slow: true }),

  m('no-get-schema', 'RPC-01', 'schema.answered schema.kind'),
  m('schema-empty', 'RPC-01', 'schema', { also: ['OPEN-02'], slow: true }),
  m('no-configure', 'RPC-01', 'configure.accepts configure.defaults', { also: ['CFG-01'] }),
  m('crash-on-malformed', 'RPC-01', 'invoke.malformed'),
  m('crash-on-oversized', 'RPC-01', 'invoke.oversized'),
  m('hangs-without-context', 'RPC-01', 'invoke.missing_context'),
  m('leaks-fds', 'RPC-01', 'robustness.many_calls'),
  m('no-version', 'RPC-02', 'schema'),
  m('wrong-identity-category', 'RPC-02', 'schema', { slow: true }),
  m('errors-as-status', 'RPC-03', 'invoke.streaming events'),
  m('schema-changes', 'RPC-04', 'determinism schema'),
  m('own-directory', 'RPC-06', 'invoke.relative_path events', { also: ['RPC-01', 'ERR-04'] }),
  m('unknown-as-failed', 'RPC-09', 'invoke.unknown_tool'),
  m('crash-on-unknown', 'RPC-09', 'invoke.unknown_tool'),

  m('odd-type', 'SCH-01', 'schema'),
  m('same-name', 'SCH-02', 'schema'),
  m('no-description', 'SCH-02', 'schema', { slow: true }),
  m('required-undeclared', 'SCH-03', 'schema'),
  m('slash-without-template', 'SCH-04', 'schema'),
  m('no-kind', 'KND-01', 'schema'),
  m('no-risk', 'KND-02', 'schema', { slow: true }),
  m('resource-read-only', 'KND-02', 'schema'),
  m('read-writes', 'KND-04', 'purity'),
  m('no-concurrency', 'CON-01', 'schema'),
  m('blocks', 'CON-01', 'concurrency.side_by_side', { also: ['CAN-02', 'CAN-04', 'ERR-09'] }),
  m('interactive-concurrency', 'CON-03', 'schema'),
  m('key-typo', 'CON-07', 'schema'),
  m('odd-derived-key', 'OPEN-02', 'schema'),
  m('no-timeout', 'TMO-01', 'schema', { warns: true }),
  m('odd-hook-point', 'HKP-01', 'schema'),
  m('read-ends-turn', 'TRM-01', 'schema'),
  m('odd-default', 'CFG-01', 'schema'),

  m('one-category', 'ERR-01', 'errors events', {
    also: [
      'ERR-03',
      'ERR-04',
      'ERR-05',
      'ERR-07',
      'ERR-08',
      'ERR-12',
      'CFG-03',
      'RPC-09',
      'ERR-09',
    ],
  }),
  m('no-message', 'ERR-02', 'errors', {
    also: [
      'ERR-04',
      'ERR-05',
      'ERR-06',
      'ERR-07',
      'ERR-08',
      'ERR-12',
      'CFG-03',
      'RPC-09',
      'ERR-03',
    ],
  }),
  m('no-validation', 'ERR-03', 'invoke.invalid events', { also: ['RPC-01', 'OUT-01'] }),
  m('not-found-as-failed', 'ERR-04', 'errors', { also: ['RPC-09'] }),
  m('denied-as-not-found', 'ERR-05', 'errors', { also: ['CFG-03'] }),
  m('failed-as-unknown', 'ERR-06', 'errors'),
  m('timeout-as-failed', 'ERR-07', 'errors'),
  m('conflict-as-failed', 'ERR-08', 'errors'),
  m('cancelled-as-failed', 'ERR-09', 'cancellation.category cancellation.no_success'),
  m('claims-crash', 'ERR-11', 'errors', { also: ['ERR-12'] }),
  m('no-category', 'ERR-11', 'errors', { also: ['ERR-12', 'ERR-02'], slow: true }),
  m('unknown-without-details', 'ERR-12', 'errors'),

  m('no-end', 'EVT-01', 'events', { also: ['RPC-01', 'RPC-06', 'CON-01'], slow: true }),
  m('two-ends', 'EVT-01', 'events errors'),
  m('event-after-end', 'EVT-01', 'events errors', { slow: true }),
  m('never-closes', 'EVT-01', 'events', { slow: true }),
  m('no-exit-status', 'EVT-02', 'events errors'),
  m('two-exit-statuses', 'EVT-02', 'events errors', { slow: true }),
  m('read-exits', 'EVT-03', 'events errors'),
  m('read-streams', 'EVT-04', 'events errors'),
  m('out-of-order', 'EVT-05', 'events errors'),

  m('leaves-child', 'CAN-02', 'cancellation.cleans_up cancellation.no_success', {
    also: ['RPC-08'],
  }),
  m('no-report', 'CAN-03', 'cancellation.report cancellation.cleans_up'),
  m('result-after-cancel', 'CAN-04', 'cancellation.no_success cancellation.category'),

  m('render-empty', 'RND-01', 'determinism', { also: ['RND-03'] }),
  m('render-random', 'RND-01', 'determinism', { slow: true }),
  m('silent-render', 'RND-03', 'determinism'),
  m('preview-empty', 'PRV-01', 'determinism'),
  m('preview-writes', 'PRV-02', 'purity determinism'),

  m('accepts-missing', 'CFG-01', 'configure.missing_required configure.accepts'),
  m('accepts-wrong-types', 'CFG-01', 'configure.wrong_types configure.accepts'),
  m('vague-refusal', 'CFG-01', 'configure.missing_required configure.accepts', { slow: true }),
  m('bare-status', 'CFG-01', 'configure.structured configure.accepts', { warns: true }),
  m('leak-in-error', 'CFG-02', 'secrets'),
  m('leak-in-log', 'CFG-02', 'secrets', { slow: true }),
  m('leak-in-base64', 'CFG-02', 'secrets'),
  m('leak-in-status', 'CFG-02', 'secrets', { slow: true }),
  m('no-boundary', 'CFG-03', 'configure.boundaries errors', { also: ['ERR-05'] }),

  m('false-idempotent', 'RTY-01', 'idempotence schema'),
  m('wrong-payload', 'OUT-01', 'invoke.payload', { also: ['RPC-01', 'RPC-06'] }),
];
