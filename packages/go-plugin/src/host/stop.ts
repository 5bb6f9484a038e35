// The orderly end of a plugin: ask it, wait, SIGTERM, wait, SIGKILL.
import { create } from '@bufbuild/protobuf';
import type { Channel } from '@grpc/grpc-js';
import { EmptySchema, GRPCController } from '../gen/plugin/plugin_pb.js';
import { clientOn } from '../contract/connect.js';
import { serviceDefinition } from '../contract/service.js';
import type { Child } from './child.js';

const SHUTDOWN_GRACE_MS = 2_000;
const TERM_GRACE_MS = 1_000;

/** Resolves when the process has exited. Signals go to its whole group. */
export async function endProcess(
  child: Child,
  channel: Channel,
  limits: { readonly graceMs: number | undefined; readonly termGraceMs: number | undefined },
): Promise<void> {
  const graceMs = limits.graceMs ?? SHUTDOWN_GRACE_MS;
  child.expectExit();
  requestShutdown(channel, graceMs);
  if (await exitsWithin(child, graceMs)) return;
  child.signal('SIGTERM');
  if (await exitsWithin(child, limits.termGraceMs ?? TERM_GRACE_MS)) return;
  child.signal('SIGKILL');
  await child.exited;
}

function requestShutdown(channel: Channel, timeoutMs: number): void {
  const method = serviceDefinition(GRPCController).shutdown;
  clientOn(channel, GRPCController).makeUnaryRequest(
    method.path,
    method.requestSerialize,
    method.responseDeserialize,
    create(EmptySchema),
    { deadline: Date.now() + timeoutMs },
    // Go's server cuts the connection instead of answering. What counts is whether the process
    // exits, and the caller waits for that.
    () => {},
  );
}

/** Whether the process exits in that time. */
export async function exitsWithin(child: Child, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([child.exited.then(() => true as const), late]);
  clearTimeout(timer);
  return inTime;
}
