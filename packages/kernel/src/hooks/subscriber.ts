// Who listens at a hook point: a provider over the wire, or a function of the embedding program. Both look the
// same to the dispatcher.
import type { HookAnswer, HookDispatch, HookMode, HookPayload, HookPoint } from '@tenon/protocol';
import type { Catalog } from '../catalog/model.js';
import type { HookSubscription } from '../config/model.js';

/** A hook as a function of the embedding program. */
export interface InProcessHook {
  readonly name: string;
  readonly point: HookPoint;
  readonly mode: HookMode;
  /** Milliseconds; default: the kernel's hook timeout. */
  readonly timeoutMs?: number;
  /**
   * observe: the answer is ignored. veto: `{ type: 'veto', decision }`. transform (pre_model_call alone): the
   * changed payload. A throw is an error of the hook.
   */
  readonly handle: (
    payload: HookPayload,
    options: { readonly signal: AbortSignal },
  ) => HookAnswer | undefined | Promise<HookAnswer | undefined>;
}

export interface Subscriber {
  readonly name: string;
  readonly point: HookPoint;
  readonly mode: HookMode;
  readonly timeoutMs: number | undefined;
  deliver(payload: HookPayload, signal: AbortSignal): Promise<HookAnswer | undefined>;
}

/** Those of the configuration first, then the program's, each in declaration order. */
export function subscribersOf(
  configured: readonly HookSubscription[],
  inProcess: readonly InProcessHook[],
  catalog: () => Catalog,
): readonly Subscriber[] {
  return [
    ...configured.map((hook) => overTheWire(hook, catalog)),
    ...inProcess.map(
      (hook): Subscriber => ({
        name: hook.name,
        point: hook.point,
        mode: hook.mode,
        timeoutMs: hook.timeoutMs,
        // A copy: what a function does to it changes nothing here, as over the wire.
        deliver: async (payload, signal) => hook.handle(structuredClone(payload), { signal }),
      }),
    ),
  ];
}

function overTheWire(hook: HookSubscription, catalog: () => Catalog): Subscriber {
  return {
    name: hook.name,
    point: hook.point,
    mode: hook.mode,
    timeoutMs: hook.timeoutMs,
    async deliver(payload, signal) {
      const provider = catalog()
        .providers()
        .find((one) => one.name === hook.provider);
      if (provider === undefined) throw new Error(`there is no provider ${hook.provider}`);
      const connection = await provider.connection();
      const dispatch: HookDispatch = { mode: hook.mode, subscriptionId: hook.name, payload };
      return connection.dispatchHook(dispatch, { signal });
    },
  };
}
