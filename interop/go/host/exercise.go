package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	commonv1 "tenon.dev/interop/gen/pluggableharness/common/v1"
	toolv1 "tenon.dev/interop/gen/pluggableharness/tool/v1"
)

// call is one entry of the calls file.
type call struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Preview   bool           `json:"preview"`
	// CancelAfter cancels the call after this many events; -1 at once.
	CancelAfter int `json:"cancelAfter"`
}

// plain gives a message as JSON with the field names of the .proto file.
func plain(message proto.Message) json.RawMessage {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		panic(err)
	}
	return text
}

func problem(err error) map[string]any {
	s := status.Convert(err)
	return map[string]any{"code": s.Code().String(), "message": s.Message()}
}

func exercise(o options, t *tool) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	identity, err := t.Describe(ctx, &toolv1.DescribeRequest{})
	if err != nil {
		return fmt.Errorf("Describe: %w", err)
	}
	report("described", map[string]any{"answer": plain(identity)})
	schema, err := t.GetSchema(ctx, &toolv1.GetSchemaRequest{})
	if err != nil {
		return fmt.Errorf("GetSchema: %w", err)
	}
	report("schema", map[string]any{"answer": plain(schema)})
	if err := configure(ctx, o, t); err != nil {
		return err
	}
	calls, err := readCalls(o.calls)
	if err != nil {
		return err
	}
	for index, c := range calls {
		arguments, err := structpb.NewStruct(c.Arguments)
		if err != nil {
			return err
		}
		wire := &toolv1.ToolCall{
			Id:        fmt.Sprintf("call-%d", index),
			ToolName:  c.Tool,
			Arguments: arguments,
			CallContext: &commonv1.CallContext{
				SessionId:        "session-of-the-go-host",
				TurnId:           "turn-1",
				WorkingDirectory: o.directory,
			},
		}
		if c.Preview {
			preview(ctx, t, index, wire)
		}
		invoke(ctx, t, index, c, wire)
	}
	rendered, err := t.Render(ctx, &toolv1.RenderRequest{Payload: []byte(`{}`), SchemaVersion: "1"})
	if err != nil {
		report("rendered", map[string]any{"error": problem(err)})
	} else {
		report("rendered", map[string]any{"answer": plain(rendered)})
	}
	return nil
}

func configure(ctx context.Context, o options, t *tool) error {
	var config map[string]any
	if err := json.Unmarshal([]byte(o.config), &config); err != nil {
		return err
	}
	settings, err := structpb.NewStruct(config)
	if err != nil {
		return err
	}
	if _, err := t.Configure(ctx, &toolv1.ConfigureRequest{Config: settings}); err != nil {
		report("configured", map[string]any{"error": problem(err)})
		return nil
	}
	report("configured", map[string]any{})
	return nil
}

func preview(ctx context.Context, t *tool, index int, wire *toolv1.ToolCall) {
	answer, err := t.Preview(ctx, &toolv1.PreviewRequest{Call: wire})
	if err != nil {
		report("previewed", map[string]any{"call": index, "error": problem(err)})
		return
	}
	report("previewed", map[string]any{"call": index, "answer": plain(answer)})
}

func invoke(parent context.Context, t *tool, index int, c call, wire *toolv1.ToolCall) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	events, err := t.Invoke(ctx, &toolv1.InvokeRequest{Call: wire})
	if err != nil {
		report("call_ended", map[string]any{"call": index, "error": problem(err)})
		return
	}
	if c.CancelAfter < 0 {
		cancel()
	}
	for count := 1; ; count++ {
		answer, err := events.Recv()
		if errors.Is(err, io.EOF) {
			report("call_ended", map[string]any{"call": index})
			return
		}
		if err != nil {
			report("call_ended", map[string]any{"call": index, "error": problem(err)})
			return
		}
		report("event", map[string]any{"call": index, "event": plain(answer.GetEvent())})
		if count == c.CancelAfter {
			cancel()
		}
	}
}

func readCalls(path string) ([]call, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var calls []call
	if err := json.Unmarshal(text, &calls); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return calls, nil
}
