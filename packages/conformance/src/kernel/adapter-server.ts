// The adapter's end: reads requests from stdin, one JSON object per line, and answers each on stdout. The kernel
// behind it is given as handlers.
import { createInterface } from 'node:readline';
import type {
  AdapterReply,
  AdapterRequest,
  RenderAnswer,
  RenderRequest,
  ReportAnswer,
  StartAnswer,
  StartRequest,
  TurnAnswer,
  TurnRequest,
} from './protocol.js';

export interface AdapterHandlers {
  start(request: StartRequest): Promise<StartAnswer>;
  turn(request: TurnRequest): Promise<TurnAnswer>;
  report(): Promise<ReportAnswer>;
  render(request: RenderRequest): Promise<RenderAnswer>;
  stop(): Promise<void>;
}

/** Thrown by a handler for what its kernel has not. */
export class Unsupported extends Error {}

/** Serves until stdin ends; then stops the kernel. */
export async function serveAdapter(handlers: AdapterHandlers): Promise<void> {
  const answer = (request: AdapterRequest): Promise<unknown> => {
    switch (request.op) {
      case 'start':
        return handlers.start(request);
      case 'turn':
        return handlers.turn(request);
      case 'report':
        return handlers.report();
      case 'render':
        return handlers.render(request);
      case 'stop':
        return handlers.stop();
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const request = JSON.parse(line) as AdapterRequest & { id: number };
    let reply: AdapterReply;
    try {
      reply = { id: request.id, ok: true, answer: (await answer(request)) ?? {} };
    } catch (error) {
      reply = {
        id: request.id,
        ok: false,
        error: error instanceof Error ? error.message : String(error),
        ...(error instanceof Unsupported ? { unsupported: true } : {}),
      };
    }
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
  await handlers.stop();
}
