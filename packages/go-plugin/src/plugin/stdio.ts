// Takes over process.stdout and process.stderr of a plugin and carries what is written to them over
// go-plugin's stdio service. Never blocks and never grows without bound: while no host reads, what
// does not fit is dropped and counted. What is written to the file descriptors directly, by native
// code or by children, goes to the pipes, which the host drains.
import { writeSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import type { ServerWritableStream } from '@grpc/grpc-js';
import {
  GRPCStdio,
  type StdioData,
  StdioData_Channel,
  StdioDataSchema,
} from '../gen/plugin/plugin_pb.js';
import { grpcService } from '../contract/service.js';
import type { GrpcService } from '../types.js';

// While nobody reads, the first megabyte of a chatty start is plenty. A host that does read is given
// time to catch up with a burst.
const MAX_UNREAD = 1024 * 1024;
const MAX_BURST = 16 * 1024 * 1024;
const MAX_PIECE = 64 * 1024;

type Reader = ServerWritableStream<unknown, StdioData>;
type Sink = 'stdout' | 'stderr';

interface Piece {
  readonly sink: Sink;
  readonly data: Uint8Array;
}

/** What was captured, and the service that hands it to the host. */
export interface StdioCapture {
  readonly service: GrpcService;
  /** Ends the stream to the host. What comes later goes to the real stderr when the process exits. */
  end(): void;
}

/** From now on writes to both streams are captured. Cannot be undone. */
export function captureStdio(): StdioCapture {
  const queue: Piece[] = [];
  const unconfirmed = new Set<Piece>();
  let queued = 0;
  let dropped = 0;
  let reader: Reader | undefined;
  let blocked = false;

  const pump = () => {
    const current = reader;
    if (current === undefined) return;
    while (!blocked) {
      const piece = queue.shift() ?? dropNotice();
      if (piece === undefined) return;
      queued -= piece.data.byteLength;
      unconfirmed.add(piece);
      blocked = !current.write(message(piece), () => unconfirmed.delete(piece));
    }
  };
  const dropNotice = (): Piece | undefined => {
    if (dropped === 0) return undefined;
    const text = `[${dropped} bytes of output were dropped: they came faster than they were read]\n`;
    const data = Buffer.from(text);
    dropped = 0;
    queued += data.byteLength;
    return { sink: 'stderr', data };
  };
  const enqueue = (sink: Sink, data: Uint8Array) => {
    for (let from = 0; from < data.byteLength; from += MAX_PIECE) {
      const part = data.subarray(from, from + MAX_PIECE);
      if (queued + part.byteLength > (reader === undefined ? MAX_UNREAD : MAX_BURST)) {
        dropped += part.byteLength;
        continue;
      }
      queue.push({ sink, data: part });
      queued += part.byteLength;
    }
    pump();
  };

  redirect(process.stdout, (data) => enqueue('stdout', data));
  redirect(process.stderr, (data) => enqueue('stderr', data));

  const service = grpcService(GRPCStdio, {
    streamStdio: (stream) => {
      // A host calls this once. Should it call again, the newest stream gets what comes from now.
      reader?.end();
      reader = stream;
      blocked = false;
      stream.on('drain', () => {
        if (reader !== stream) return;
        blocked = false;
        pump();
      });
      const gone = () => {
        if (reader === stream) reader = undefined;
      };
      stream.on('cancelled', gone);
      stream.on('close', gone);
      stream.on('error', gone);
      pump();
    },
  });

  // A process that complains and exits in one breath: its words would be lost in buffers.
  process.on('exit', () => {
    for (const piece of [...unconfirmed, ...queue]) {
      if (piece.sink === 'stderr') writeRaw(piece.data);
    }
  });

  return {
    service,
    end: () => {
      reader?.end();
      reader = undefined;
    },
  };
}

function message({ sink, data }: Piece): StdioData {
  const channel = sink === 'stdout' ? StdioData_Channel.STDOUT : StdioData_Channel.STDERR;
  return create(StdioDataSchema, { channel, data });
}

function writeRaw(data: Uint8Array): void {
  try {
    writeSync(2, data);
  } catch {
    // The host that would read it is gone too.
  }
}

function redirect(stream: NodeJS.WriteStream, sink: (data: Uint8Array) => void): void {
  const write = (
    chunk: Uint8Array | string,
    encodingOrDone?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ): boolean => {
    const encoding = typeof encodingOrDone === 'string' ? encodingOrDone : 'utf8';
    // A copy: the caller may reuse its buffer as soon as write has returned.
    sink(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Uint8Array.from(chunk));
    const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done;
    if (callback !== undefined) process.nextTick(callback);
    return true;
  };
  stream.write = write;
}
