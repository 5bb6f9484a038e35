// A session: the turns of one conversation, and what is remembered between them.
import { resolve } from 'node:path';
import type { HookPayload, SessionStatus } from '@tenon/protocol';
import { newId } from './ids.js';
import type { OperationListing, Session, SessionOptions } from '../api.js';
import { createSessionBreakers } from '../breaker/session-breakers.js';
import { dispatchHooks } from '../hooks/dispatch.js';
import { runTurn } from '../turn.js';
import { createDoomLoop } from './doom-loop.js';
import { hookOptions } from './hook-options.js';
import type { KernelState, SessionState } from './state.js';

/** A hook has stopped a session, a model call, or the use of a model's answer. */
export class HookDenied extends Error {
  readonly by: string;
  constructor(by: string, reason: string) {
    super(reason);
    this.name = 'HookDenied';
    this.by = by;
  }
}

/** Opens a session: journaled, and told to the hooks at session-start. Rejects with HookDenied when one denies. */
export async function openSession(
  kernel: KernelState,
  options: SessionOptions,
  listings: () => readonly OperationListing[],
  onEnd: (sessionId: string) => void,
): Promise<Session> {
  const id = newId();
  const { config, sessions } = kernel;
  const state: SessionState = {
    id,
    workingDirectory: resolve(options.workingDirectory ?? process.cwd()),
    profile: options.profile ?? '',
    startedAt: Date.now(),
    breakers: createSessionBreakers({
      settings: config.settings.breaker,
      onChange(provider, breaker, reason) {
        kernel.record({ type: 'breaker', sessionId: id, provider, state: breaker, reason });
        void kernel.observer({ type: 'breaker', sessionId: id, provider, state: breaker, reason });
      },
    }),
    doomLoop: createDoomLoop(config.settings.doomLoopThreshold),
    rules: [],
    running: new Map(),
    abort: new AbortController(),
    planMode: options.planMode ?? false,
    turns: 0,
    costUsd: 0,
    turnsRunning: new Set(),
    ended: false,
  };
  sessions.set(id, state);
  const parent =
    options.parentSessionId === undefined ? {} : { parentSessionId: options.parentSessionId };
  const { workingDirectory, profile } = state;
  kernel.record({
    type: 'session_started',
    sessionId: id,
    workingDirectory,
    profile,
    ...parent,
    kernelPid: process.pid,
  });
  const { denied } = await tell(kernel, state, {
    point: 'session_start',
    sessionId: id,
    profile,
    workingDirectory,
    ...parent,
  });
  const session = sessionOf(kernel, state, listings, onEnd);
  if (denied !== undefined) {
    await session.end('failed');
    throw new HookDenied(denied.by, denied.reason);
  }
  return session;
}

/** Hooks outside of a turn; denials are theirs to see. */
function tell<P extends HookPayload>(kernel: KernelState, session: SessionState, payload: P) {
  const scope = { kernel, session, signal: session.abort.signal };
  return dispatchHooks(payload, hookOptions(scope, payload.point));
}

function sessionOf(
  kernel: KernelState,
  state: SessionState,
  listings: () => readonly OperationListing[],
  onEnd: (sessionId: string) => void,
): Session {
  const refuseIfEnded = (): void => {
    if (state.ended) throw new Error(`session ${state.id} has ended; open a new one`);
  };
  const session: Session = {
    id: state.id,
    workingDirectory: state.workingDirectory,
    get planMode() {
      return state.planMode;
    },
    set planMode(on: boolean) {
      state.planMode = on;
    },
    // GATE-09.
    operations: () =>
      listings().filter(({ operation }) => !state.planMode || operation.kind !== 'resource'),
    async runTurn(calls, options = {}) {
      refuseIfEnded();
      const turn = runTurn(kernel, state, calls, options);
      state.turnsRunning.add(turn);
      try {
        return await turn;
      } finally {
        state.turnsRunning.delete(turn);
      }
    },
    async call(call, options) {
      const { outcomes } = await session.runTurn([call], options);
      const [outcome] = outcomes;
      if (outcome === undefined) throw new Error('a turn of one call has no outcome');
      return outcome;
    },
    async beforeModelCall(messages, model) {
      refuseIfEnded();
      const payload = {
        point: 'pre_model_call',
        messages,
        ...(model === undefined ? {} : { model }),
      } as const;
      const result = await tell(kernel, state, payload);
      if (result.denied !== undefined) throw new HookDenied(result.denied.by, result.denied.reason);
      return result.payload.messages;
    },
    async afterModelResponse(response) {
      refuseIfEnded();
      state.costUsd += response.costUsd;
      const { denied } = await tell(kernel, state, { point: 'post_model_response', ...response });
      if (denied !== undefined) throw new HookDenied(denied.by, denied.reason);
    },
    reportCost(usd) {
      if (!(usd >= 0)) throw new RangeError(`a cost of ${usd} USD cannot be added`);
      state.costUsd += usd;
    },
    async end(status = 'completed') {
      if (state.ended) return;
      state.ended = true;
      if (state.turnsRunning.size > 0) state.abort.abort();
      await Promise.allSettled(state.turnsRunning);
      const sessionStatus: SessionStatus = status;
      // The session's own signal may be aborted; its last hooks still run.
      const scope = { kernel, session: state, signal: new AbortController().signal };
      await dispatchHooks(
        { point: 'session_end', sessionId: state.id, status: sessionStatus },
        hookOptions(scope, 'session_end'),
      );
      kernel.record({ type: 'session_ended', sessionId: state.id, status });
      kernel.sessions.delete(state.id);
      onEnd(state.id);
    },
  };
  return session;
}
