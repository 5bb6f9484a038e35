// The grpc-js settings that both sides use, and why.
import type { ChannelOptions } from '@grpc/grpc-js';

const NEVER_MS = 0x7fff_ffff;

const common: ChannelOptions = {
  // go-plugin has no limit on either side of a connection; grpc-js would cut at 4 MiB.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Bookkeeping that nobody reads here, on every message.
  'grpc.enable_channelz': 0,
  // Lets a large message pass without a round trip for each 64 KiB.
  'grpc-node.flow_control_window': 4 * 1024 * 1024,
};

/** For a channel to one process on this machine. */
export const channelOptions: ChannelOptions = {
  ...common,
  // One HTTP/2 connection for this channel alone, never shared with another launch.
  'grpc.use_local_subchannel_pool': 1,
  // A call is never sent twice behind the caller's back.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
  // The socket file may be gone by the time of a reconnect: do not drop the connection when idle.
  'grpc.client_idle_timeout_ms': NEVER_MS,
  'grpc.initial_reconnect_backoff_ms': 20,
  'grpc.max_reconnect_backoff_ms': 500,
  // Both ends of the contract name themselves localhost, on unix sockets too.
  'grpc.default_authority': 'localhost',
  'grpc.ssl_target_name_override': 'localhost',
};

/** For a server that a plugin or the broker listens with. */
export const serverOptions: ChannelOptions = { ...common };
