package main

import (
	"context"
	"sync"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	kernelv1 "tenon.dev/interop/gen/pluggableharness/kernel/v1"
	logv1 "tenon.dev/interop/gen/pluggableharness/log/v1"
	"tenon.dev/interop/contract"
)

// kernelClient dials back to the kernel on the first use.
type kernelClient struct {
	broker *plugin.GRPCBroker
	mu     sync.Mutex
	client kernelv1.KernelCallbackServiceClient
}

func (k *kernelClient) dial() (kernelv1.KernelCallbackServiceClient, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.client == nil {
		conn, err := k.broker.Dial(contract.CallbackID)
		if err != nil {
			return nil, err
		}
		k.client = kernelv1.NewKernelCallbackServiceClient(conn)
	}
	return k.client, nil
}

// emit appends an opaque event to a session and gives its id.
func (k *kernelClient) emit(ctx context.Context, session string, payload []byte) (string, error) {
	client, err := k.dial()
	if err != nil {
		return "", err
	}
	result, err := client.Emit(ctx, &kernelv1.EmitRequest{
		SessionId:     session,
		Kind:          kernelv1.EventKind_EVENT_KIND_TOOL_RESULT,
		SchemaVersion: "1",
		Payload:       payload,
	})
	if err != nil {
		return "", err
	}
	return result.GetId(), nil
}

// log sends one entry both ways, for older and newer kernels.
func (k *kernelClient) log(ctx context.Context, session, message string) error {
	client, err := k.dial()
	if err != nil {
		return err
	}
	entry := &logv1.LogEntry{
		Level:   logv1.LogLevel_LOG_LEVEL_INFO,
		Logger:  "go-provider",
		Message: message,
		Fields:  &structpb.Struct{},
		Time:    timestamppb.Now(),
	}
	_, err = client.Log(ctx, &kernelv1.LogRequest{
		SessionId: &session,
		Entry:     entry,
		Entries:   []*logv1.LogEntry{entry},
	})
	return err
}
