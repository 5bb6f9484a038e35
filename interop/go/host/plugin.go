package main

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	kernelv1 "tenon.dev/interop/gen/pluggableharness/kernel/v1"
	toolv1 "tenon.dev/interop/gen/pluggableharness/tool/v1"
	"tenon.dev/interop/contract"
)

// tool is what the host holds of a provider.
type tool struct {
	toolv1.ToolServiceClient
}

type toolPlugin struct {
	plugin.NetRPCUnsupportedPlugin
}

func (*toolPlugin) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this binary only hosts")
}

// GRPCClient offers the callback service before the first call, as a kernel does.
func (*toolPlugin) GRPCClient(_ context.Context, broker *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	go broker.AcceptAndServe(contract.CallbackID, func(o []grpc.ServerOption) *grpc.Server {
		server := grpc.NewServer(o...)
		kernelv1.RegisterKernelCallbackServiceServer(server, &callbacks{})
		return server
	})
	return &tool{toolv1.NewToolServiceClient(conn)}, nil
}

type callbacks struct {
	kernelv1.UnimplementedKernelCallbackServiceServer
	sequence atomic.Int64
}

func (c *callbacks) Emit(_ context.Context, request *kernelv1.EmitRequest) (*kernelv1.EmitResult, error) {
	if request.GetSessionId() == "" {
		return nil, status.Error(codes.InvalidArgument, "no session")
	}
	report("emitted", map[string]any{"session": request.GetSessionId(), "bytes": len(request.GetPayload())})
	return &kernelv1.EmitResult{Id: "event-of-the-go-host", Sequence: c.sequence.Add(1)}, nil
}

func (c *callbacks) Log(_ context.Context, request *kernelv1.LogRequest) (*kernelv1.LogResult, error) {
	report("logged", map[string]any{"message": request.GetEntry().GetMessage(), "entries": len(request.GetEntries())})
	return &kernelv1.LogResult{}, nil
}
