// How the hooks of a session are run, and where their failures go.
import type { HookPoint } from '@tenon/protocol';
import type { DispatchOptions } from '../hooks/dispatch.js';
import type { KernelState, SessionState } from './state.js';

export interface HookScope {
  readonly kernel: KernelState;
  readonly session: SessionState;
  readonly signal: AbortSignal;
}

/** `point` names the point of the payload where a failure is reported. */
export function hookOptions(scope: HookScope, point: HookPoint): DispatchOptions {
  const { kernel, session, signal } = scope;
  return {
    subscribers: kernel.subscribers,
    timeoutMs: kernel.config.settings.hookTimeoutMs,
    signal,
    onFailure(failure) {
      kernel.record({ type: 'hook_error', sessionId: session.id, point, ...failure });
      void kernel.observer({
        type: 'hook_error',
        point,
        subscriber: failure.subscriber,
        message: failure.message,
      });
    },
  };
}
