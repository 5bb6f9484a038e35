// The callback service of one provider: what it may say to the kernel. Who is calling is known from the
// connection that the service was made for; nothing in a request is believed about that.
import { type KernelCallbacks, type ProviderIdentity, ToolError } from '@tenon/protocol';
import { newId } from './ids.js';
import type { KernelState } from './state.js';

/** What callbacks need of a kernel; there from the beginning, as providers log while they start. */
export type CallbackScope = Pick<KernelState, 'sessions' | 'journal' | 'record' | 'observer'>;

/** Callbacks that answer for `provider` alone. */
export function callbacksFor(
  kernel: CallbackScope,
  provider: string,
  identity: () => ProviderIdentity,
): KernelCallbacks {
  return {
    async emit({ sessionId, kind, schemaVersion, payload }) {
      const { sessions, journal, record } = kernel;
      const session = sessions.get(sessionId);
      if (session === undefined || !session.running.has(provider)) {
        const message = `provider ${provider} may emit into a session only while it runs a call of it, and it runs none of "${sessionId}"`;
        record({ type: 'provider_fault', provider, message, violations: [] });
        throw new ToolError({ category: 'permission_denied', message, retryable: false });
      }
      const id = newId();
      const sequence = await journal.append({
        type: 'emit',
        sessionId,
        id,
        provider,
        providerVersion: identity().version,
        kind,
        schemaVersion,
        payload: Uint8Array.from(payload),
      });
      return { id, sequence };
    },
    log(entry, sessionId) {
      const { sessions, record, observer } = kernel;
      const known = sessionId !== undefined && sessions.has(sessionId);
      const { level, message, fields } = entry;
      record({
        type: 'provider_log',
        ...(known ? { sessionId } : {}),
        provider,
        level,
        message,
        fields,
      });
      void observer({ type: 'log', provider, level, message });
    },
  };
}
