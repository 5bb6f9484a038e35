// What a handler can ask of the kernel, bound to the session of its call.
import type { EmittedKind, JsonObject, KernelCallbacks } from '@tenon/protocol';
import type { SecretMask } from '../secrets/mask.js';

/** An event that a provider appends to the session of the call. Opaque to the kernel; shown by `render`. */
export interface SessionEvent {
  readonly kind: EmittedKind;
  /** Version of the payload's own format; handed to `render` later. */
  readonly schemaVersion: string;
  /** Bytes, or an object that is sent as JSON text. */
  readonly payload: Uint8Array | JsonObject;
}

export interface CallKernel {
  /**
   * Appends an event to the session of this call. Resolves to its place, or to undefined when the kernel has no
   * such callback. Rejects when the kernel refuses it.
   */
  emit(event: SessionEvent): Promise<{ id: string; sequence: number } | undefined>;
}

/** The callbacks as the SDK uses them: `emit` resolves to undefined where there is no kernel behind. */
export interface ProviderCallbacks {
  emit(
    event: Parameters<KernelCallbacks['emit']>[0],
  ): Promise<{ id: string; sequence: number } | undefined>;
  log: KernelCallbacks['log'];
}

export function bindKernel(
  callbacks: ProviderCallbacks,
  sessionId: string,
  mask: SecretMask,
): CallKernel {
  return {
    emit({ kind, schemaVersion, payload }) {
      const bytes =
        payload instanceof Uint8Array
          ? maskWhole(payload, mask)
          : Buffer.from(JSON.stringify(mask.json(payload)));
      return callbacks.emit({ sessionId, kind, schemaVersion, payload: bytes });
    },
  };
}

function maskWhole(payload: Uint8Array, mask: SecretMask): Uint8Array {
  if (mask.isEmpty) return payload;
  const stream = mask.stream();
  return Buffer.concat([stream.push(payload), stream.flush()]);
}
