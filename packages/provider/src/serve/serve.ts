// A provider as a process of its own: go-plugin around the running instance (RPC-08).
import { serve } from '@tenon/go-plugin';
import { strayErrors } from '../call/stray-errors.js';
import type { ProviderDefinition } from '../define-provider.js';
import { classify } from '../errors/classify.js';
import { createInstance } from '../instance.js';
import type { SecretMask } from '../secrets/mask.js';
import { brokerCallbacks } from './broker-callbacks.js';
import { HANDSHAKE } from './handshake.js';
import { providerServices } from './tool-service.js';

/** Serves until the host ends this process. */
export async function serveProvider(definition: ProviderDefinition): Promise<void> {
  const { name, version } = definition.identity;
  const callbacks = brokerCallbacks();
  const instance = createInstance(definition, callbacks);
  strayErrors.listen(
    (error, ofCall) => {
      const data = classify(error, false);
      const where = ofCall ? 'in a call' : 'outside of any call';
      instance.log.error(`an error escaped ${where}: ${data.message}`, data.details ?? {});
      process.stderr.write(instance.mask.text(`an error escaped ${where}: ${stackOf(error)}\n`));
    },
    () => process.exit(1),
  );
  const served = await serve({
    handshake: HANDSHAKE,
    services: providerServices(definition, instance),
    displayName: `the tool provider ${name} ${version}`,
    onShutdown: () => instance.shutdown(),
  });
  callbacks.attach(served.broker);
  maskOutput(process.stdout, instance.mask);
  maskOutput(process.stderr, instance.mask);
  await served.closed;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * CFG-02: what the author's code prints is a log line too. Each write is masked by itself; the text of one
 * console.log is one write.
 */
function maskOutput(stream: NodeJS.WriteStream, mask: SecretMask): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (mask.isEmpty) return write(chunk, ...rest);
    if (typeof chunk === 'string') return write(mask.text(chunk), ...rest);
    const bytes = mask.stream();
    return write(Buffer.concat([bytes.push(chunk), bytes.flush()]), ...rest);
  };
}
