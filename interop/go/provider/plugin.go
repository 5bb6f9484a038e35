package main

import (
	"context"
	"errors"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	toolv1 "tenon.dev/interop/gen/pluggableharness/tool/v1"
)

// toolPlugin puts the tool service on go-plugin's gRPC server.
type toolPlugin struct {
	plugin.NetRPCUnsupportedPlugin
}

func (*toolPlugin) GRPCServer(broker *plugin.GRPCBroker, server *grpc.Server) error {
	toolv1.RegisterToolServiceServer(server, &toolService{kernel: &kernelClient{broker: broker}})
	return nil
}

func (*toolPlugin) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("this binary only serves")
}
