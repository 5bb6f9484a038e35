// Command provider is a tool provider on the real hashicorp/go-plugin and grpc-go, with stubs generated from
// our .proto files. It proves that a kernel which never saw it can run it, and it misbehaves on request.
package main

import (
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"tenon.dev/interop/contract"
)

func main() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: contract.Handshake,
		Plugins:         map[string]plugin.Plugin{contract.PluginName: &toolPlugin{}},
		GRPCServer:      plugin.DefaultGRPCServer,
		Logger:          hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: os.Stderr}),
	})
}
