// Package contract holds the names on which a host and a provider agree before they talk.
package contract

import "github.com/hashicorp/go-plugin"

// Handshake is the magic cookie and the version of the tool plugin contract.
var Handshake = plugin.HandshakeConfig{
	ProtocolVersion:  1,
	MagicCookieKey:   "PLUGGABLEHARNESS_AGENT_PLUGIN",
	MagicCookieValue: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake",
}

// CallbackID is the broker id on which a kernel serves its callbacks.
const CallbackID = 1

// PluginName is the key of a tool provider in the plugin map.
const PluginName = "tool"
