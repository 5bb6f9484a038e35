// The list of all checks of a kernel: data alone, so that listing them loads nothing else. The code is in `checks/`.
import type { CheckInfo } from '../model/check.js';

type Row = readonly [name: string, requirements: string, title: string, advisory?: 'advisory'];

const ROWS = {
  reaction: [
    ['invalid_arguments', 'RCT-01', 'invalid_arguments goes to the model, without a retry'],
    ['not_found', 'RCT-02', 'not_found goes to the model, without a retry'],
    ['permission_denied', 'RCT-03', 'permission_denied goes to the model, without a retry'],
    [
      'execution_failed',
      'RCT-04',
      'execution_failed is an ordinary result, and the session goes on',
    ],
    ['timeout', 'RCT-05', 'a timeout closes the stream'],
    ['timeout_category', 'ERR-07', 'a call that the kernel timed out ends as timeout'],
    ['conflict', 'RCT-06', 'a conflict is run again, alone'],
    ['conflict_gate', 'RTY-05', 'a conflict is run again although nothing is idempotent'],
    ['cancelled', 'RCT-07', 'a call that was cancelled by its provider is no failure to the model'],
    ['cancelled_category', 'ERR-09', 'a cancelled turn ends its calls as cancelled'],
    ['crash', 'RCT-08', 'a crash is an ordinary error, and the session goes on'],
    ['crash_category', 'ERR-10', 'a process that exits during a call is process_crashed'],
    ['broken_connection', 'ERR-13', 'a broken connection is process_crashed'],
    ['crash_loop', 'RCT-09', 'crashes in a row open the breaker'],
    ['denials', 'BRK-01', 'denials in a row open the breaker'],
    ['unknown', 'RCT-10', 'unknown is not tried again'],
    ['details', 'ERR-12', 'unknown keeps the details'],
    ['claimed_crash', 'ERR-11', 'a provider that claims process_crashed is read as unknown'],
  ],
  retry: [
    ['unsafe', 'RTY-01', 'a resource that is not idempotent runs once, whatever failed'],
    [
      'unsafe_timeout',
      'RTY-02',
      'a resource that is not idempotent runs once after a timeout, too',
    ],
    ['reads', 'RTY-03', 'a read that may be retried is retried', 'advisory'],
    ['interactive', 'RTY-04', 'a question is asked once, and never of the provider'],
    ['hidden', 'RTY-06', 'a retry that succeeds shows the model nothing of the failure'],
  ],
  process: [
    ['context', 'RPC-05', 'every call carries session, turn and working directory'],
    ['no_preview', 'RPC-07', 'a provider without Preview works'],
    ['environment', 'RPC-10', "nothing of the kernel's environment reaches a provider"],
    ['checksum', 'RPC-11', 'a program with another checksum is not started'],
    ['refused', 'KND-03', 'operations with a contradiction are refused at load'],
    ['hook_support', 'HKP-02', 'a hook that the provider does not support is an error at load'],
  ],
  locks: [
    ['undeclared', 'CON-02', 'an operation without ConcurrencySpec runs alone'],
    ['alone', 'CON-04', 'an operation that is not safe runs alone in its process'],
    ['same_key', 'CON-05', 'calls with the same key run one after the other'],
    ['together', 'CON-06', 'safe calls run side by side'],
    ['other_keys', 'CON-08', 'calls with other keys run side by side'],
  ],
  deadlines: [
    ['operator', 'TMO-02', 'the deadline is the operator’s, then that of the operation'],
    ['deaf', 'TMO-03', 'a provider that ignores the end cannot hold the turn'],
  ],
  stream: [
    ['order', 'EVT-05', 'output reaches observers in its order'],
    ['broken', 'EVT-06', 'a broken stream ends as unknown'],
    ['flood', 'EVT-07', 'a flood of output does not fill the memory'],
    ['validated', 'OUT-01', 'a result that does not fit its schema is refused'],
    ['hidden', 'OUT-02', 'a result that was refused is nowhere in what the model sees'],
    ['closed', 'CAN-01', 'cancelling closes the stream'],
    ['report', 'CAN-05', 'what a cancelled call reported is recorded'],
    ['render', 'RND-02', 'without Render, a payload is shown as indented JSON'],
  ],
  gate: [
    ['no_allow', 'GATE-01', 'no resource runs without an allow'],
    ['per_item', 'GATE-02', 'one plan holds allow, ask and deny'],
    ['snapshot', 'GATE-03', 'a plan item says kind, risk and description'],
    ['not_blocked', 'GATE-04', 'a call that is asked for does not hold up the others'],
    ['reason', 'GATE-05', 'the model is told why a call was denied'],
    ['corrected', 'GATE-06', 'corrected arguments are exactly what runs'],
    ['session_scope', 'GATE-07', 'a decision for the session is asked for once'],
    ['broken_veto', 'GATE-08', 'a veto hook that fails denies'],
    ['hanging_veto', 'GATE-08', 'a veto hook that hangs denies'],
    ['plan_mode', 'GATE-09', 'plan mode offers no resources'],
    ['questions', 'KND-05', 'questions are no part of a plan'],
    ['slow_preview', 'PRV-03', 'a preview that hangs does not hold up the plan'],
    ['previewed', 'PRV-04', 'previews are asked of resources alone'],
    ['ends_turn', 'TRM-02', 'terminates_turn ends the turn, and all calls have results'],
  ],
  policy: [
    ['all_match', 'POL-01', 'a rule applies where all that it names matches'],
    ['specific', 'POL-02', 'the most specific rule wins'],
    ['conflict', 'POL-03', 'rules of the same rank that may meet are an error at load'],
    ['defaults', 'POL-04', 'without a rule, resources are asked for and reads run'],
    ['downgrade', 'POL-05', 'ask of a read is a denial, and recorded as such'],
    ['empty', 'POL-06', 'a rule that matches everything is warned of'],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

type Rows = typeof ROWS;
export type KernelGroup = keyof Rows;
export type KernelCheckName<G extends KernelGroup> = Rows[G][number][0];

/** All checks of a kernel, in the order in which they are reported. */
export const KERNEL_CHECKS: readonly CheckInfo[] = Object.entries(ROWS).flatMap(([group, rows]) =>
  (rows as readonly Row[]).map(([name, requirements, title, advisory]) => ({
    id: `${group}.${name}`,
    group,
    requirements: requirements.split(' '),
    title,
    ...(advisory === undefined ? {} : { advisory: true as const }),
  })),
);
