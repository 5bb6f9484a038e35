// The state machine that every Invoke stream passes (EVT-01..06, ERR-11). Pure: it is fed what arrives, in
// order, and says what each thing means; it never waits, cancels or throws. Rules about a single event were
// checked where the event was read (protocol's converters); rules about their order and about the operation
// are checked here.
import type { ReceivedEvent, ToolErrorData, ToolEvent, Violation } from '@tenon/protocol';

/** What the operation allows. */
export interface StreamRules {
  /** EVT-04. */
  readonly streaming: boolean;
  /**
   * EVT-03. A provider cannot declare that an operation is process-backed, it shows it: the first call that
   * succeeded did, or did not, report an exit status. Undefined before that.
   */
  readonly processBacked: boolean | undefined;
}

/** What the guard remembers of a stream. */
export interface StreamState {
  readonly terminal: TerminalEvent | undefined;
  readonly exitStatus: ExitStatusEvent | undefined;
  /** Types of the last events, oldest first, as evidence. */
  readonly trail: readonly string[];
  /** Events so far. */
  readonly count: number;
}

type TerminalEvent = Extract<ToolEvent, { type: 'result' | 'error' }>;
type ExitStatusEvent = Extract<ToolEvent, { type: 'exit_status' }>;

export type GuardStep =
  /** Show it to observers and go on. A terminal event is kept in the state until the stream ends. */
  | { readonly type: 'pass'; readonly state: StreamState; readonly event: ToolEvent }
  /** The stream broke a rule: it is over for the kernel, whatever follows. */
  | {
      readonly type: 'broken';
      readonly violations: readonly Violation[];
      readonly trail: readonly string[];
    };

export type StreamEnd =
  | { readonly type: 'terminal'; readonly event: TerminalEvent }
  | {
      readonly type: 'broken';
      readonly violations: readonly Violation[];
      readonly trail: readonly string[];
    };

const TRAIL_LENGTH = 8;

/** A stream of which nothing has arrived yet. */
export const NEW_STREAM: StreamState = {
  terminal: undefined,
  exitStatus: undefined,
  trail: [],
  count: 0,
};

/** Takes the next event of a stream. */
export function guardEvent(
  state: StreamState,
  received: ReceivedEvent,
  rules: StreamRules,
): GuardStep {
  if (!received.ok) return broken(state, 'an unreadable event', received.violations);
  const { event } = received;
  const found = ruleBrokenBy(event, state, rules);
  if (found !== undefined) return broken(state, event.type, [found]);
  return { type: 'pass', event, state: after(state, event) };
}

/** Takes the end of a stream that was not cancelled. */
export function guardEnd(state: StreamState): StreamEnd {
  if (state.terminal !== undefined) return { type: 'terminal', event: state.terminal };
  const seen =
    state.count === 0 ? 'no event at all' : `${state.count} events, none of them terminal`;
  return {
    type: 'broken',
    trail: state.trail,
    violations: [violation('EVT-01', `the stream ended without a result or an error (${seen})`)],
  };
}

/** The error that a broken stream becomes (EVT-06). */
export function violationError(
  violations: readonly Violation[],
  trail: readonly string[],
  provider: string,
): ToolErrorData {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return {
    category: 'unknown',
    retryable: false,
    message:
      `Provider ${provider} broke the protocol (${first?.requirement ?? 'EVT-06'}): ` +
      `${first?.message ?? 'a malformed stream'}${more}. What the operation has done is not known.`,
    details: {
      requirement: first?.requirement ?? 'EVT-06',
      violations: violations.map((each) => ({ ...each })),
      evidence: [...trail],
    },
  };
}

function ruleBrokenBy(
  event: ToolEvent,
  state: StreamState,
  rules: StreamRules,
): Violation | undefined {
  if (state.terminal !== undefined) {
    const before = state.terminal.type;
    return event.type === 'result' || event.type === 'error'
      ? violation('EVT-01', `a second terminal event: ${event.type} after ${before}`)
      : violation('EVT-01', `${event.type} after the terminal event (${before})`);
  }
  switch (event.type) {
    case 'output_chunk':
    case 'partial_result':
    case 'progress':
      if (!rules.streaming) {
        return violation(
          'EVT-04',
          `${event.type} from an operation that is declared with streaming: false`,
        );
      }
      if (event.type !== 'progress' || event.fraction === undefined) return undefined;
      // A provider inside of this process has passed no converter.
      return event.fraction >= 0 && event.fraction <= 1
        ? undefined
        : violation('EVT-06', `the fraction of a progress is ${event.fraction}, not from 0 to 1`);
    case 'exit_status':
      if (state.exitStatus !== undefined) {
        return violation('EVT-02', 'a second exit_status in one stream');
      }
      return rules.processBacked === false
        ? violation(
            'EVT-03',
            'exit_status from an operation that is not process-backed: it has given results without one',
          )
        : undefined;
    case 'error':
      // Refused by the converter on the wire; here for providers inside of this process.
      return event.error.category === 'process_crashed'
        ? violation('ERR-11', 'a provider raised process_crashed, which is for the kernel alone')
        : undefined;
    case 'result':
      return undefined;
  }
}

function after(state: StreamState, event: ToolEvent): StreamState {
  return {
    terminal: event.type === 'result' || event.type === 'error' ? event : state.terminal,
    exitStatus: event.type === 'exit_status' ? event : state.exitStatus,
    trail: extend(state.trail, event.type),
    count: state.count + 1,
  };
}

/** Equal events in a row are counted, so that a long stream leaves a short trail. */
function extend(trail: readonly string[], type: string): readonly string[] {
  const last = trail.at(-1);
  if (last?.startsWith(type) === true) {
    const times = last === type ? 1 : Number(last.slice(type.length + 2));
    return [...trail.slice(0, -1), `${type} ×${times + 1}`];
  }
  return [...trail.slice(-(TRAIL_LENGTH - 1)), type];
}

function broken(
  state: StreamState,
  what: string,
  violations: readonly Violation[],
): GuardStep & { type: 'broken' } {
  return { type: 'broken', violations, trail: extend(state.trail, what) };
}

function violation(requirement: string, message: string): Violation {
  return { requirement, pointer: '', message };
}
