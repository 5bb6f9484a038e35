// What a host of tool providers and a provider agree on before anything is spoken (RPC-08).
import type { Handshake } from '@tenon/go-plugin';

export const HANDSHAKE: Handshake = {
  cookieKey: 'PLUGGABLEHARNESS_AGENT_PLUGIN',
  cookieValue: 'pluggableharness-agent-v1-a6f3c9d2-plugin-handshake',
  protocolVersions: [1],
};

/** The broker id on which the kernel offers its callbacks. */
export const CALLBACKS_BROKER_ID = 1;
