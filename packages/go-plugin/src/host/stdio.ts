// Reads what the plugin's code prints, over go-plugin's stdio service.
import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { GRPCStdio, type StdioData, StdioData_Channel } from '../gen/plugin/plugin_pb.js';
import { clientOn } from '../contract/connect.js';
import type { EndingChannel } from '../contract/ending-channel.js';
import { serviceDefinition } from '../contract/service.js';
import { keepOpen, waiting } from './lasting-stream.js';

/** Reads until the process ends. A plugin without the service simply has nothing to say. */
export function readStdio(
  channel: EndingChannel,
  onData: (stream: 'stdout' | 'stderr', data: Uint8Array) => void,
): void {
  const method = serviceDefinition(GRPCStdio).streamStdio;
  keepOpen(channel, () => {
    const stream = clientOn(channel, GRPCStdio).makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      create(EmptySchema),
      waiting,
    );
    stream.on('data', (piece: StdioData) => {
      if (piece.channel === StdioData_Channel.STDOUT) onData('stdout', piece.data);
      if (piece.channel === StdioData_Channel.STDERR) onData('stderr', piece.data);
    });
    return stream;
  });
}
