// What the kernel and a provider agree on before anything is spoken (RPC-08).
import type { Handshake } from '@tenon/go-plugin';

export const HANDSHAKE: Handshake = {
  cookieKey: 'PLUGGABLEHARNESS_AGENT_PLUGIN',
  cookieValue: 'pluggableharness-agent-v1-a6f3c9d2-plugin-handshake',
  protocolVersions: [1],
};
