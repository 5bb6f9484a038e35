package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"
	commonv1 "tenon.dev/interop/gen/pluggableharness/common/v1"
	toolv1 "tenon.dev/interop/gen/pluggableharness/tool/v1"
)

type toolService struct {
	toolv1.UnimplementedToolServiceServer
	kernel *kernelClient
	mu     sync.Mutex
	prefix string
}

func (s *toolService) Describe(context.Context, *toolv1.DescribeRequest) (*toolv1.DescribeResponse, error) {
	return &toolv1.DescribeResponse{Producer: &commonv1.ProducerRef{
		Name:            "go-interop",
		Version:         "1.0.0",
		Source:          "tenon.dev/interop",
		Category:        commonv1.Category_CATEGORY_TOOL,
		ProtocolVersion: 1,
	}}, nil
}

func (s *toolService) GetSchema(context.Context, *toolv1.GetSchemaRequest) (*toolv1.GetSchemaResponse, error) {
	return schema, nil
}

func (s *toolService) Configure(_ context.Context, request *toolv1.ConfigureRequest) (*toolv1.ConfigureResponse, error) {
	prefix := ""
	for name, value := range request.GetConfig().GetFields() {
		text, isText := value.GetKind().(*structpb.Value_StringValue)
		if name != "prefix" {
			return nil, status.Errorf(codes.InvalidArgument, "unknown attribute %q; the only one is prefix", name)
		}
		if !isText {
			return nil, status.Errorf(codes.InvalidArgument, "attribute prefix must be a string")
		}
		prefix = text.StringValue
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prefix = prefix
	return &toolv1.ConfigureResponse{}, nil
}

type stream = grpc.ServerStreamingServer[toolv1.InvokeResponse]

func (s *toolService) Invoke(request *toolv1.InvokeRequest, out stream) error {
	call := request.GetCall()
	if problem := check(call); problem != nil {
		return out.Send(&toolv1.InvokeResponse{Event: &toolv1.ToolEvent{Event: &toolv1.ToolEvent_Error{Error: problem}}})
	}
	arguments := call.GetArguments().AsMap()
	switch call.GetToolName() {
	case "echo":
		s.mu.Lock()
		prefix := s.prefix
		s.mu.Unlock()
		return result(out, map[string]any{"text": prefix + arguments["text"].(string)})
	case "wait":
		return wait(out)
	case "fail":
		return fail(out, arguments["how"].(string))
	default:
		return s.appendNote(out, call, arguments["file"].(string), arguments["line"].(string))
	}
}

// wait ends only by cancellation; its last word is a partial result.
func wait(out stream) error {
	tick := &toolv1.ToolEvent{Event: &toolv1.ToolEvent_OutputChunk_{OutputChunk: &toolv1.ToolEvent_OutputChunk{
		Stream: toolv1.OutputStream_OUTPUT_STREAM_STDOUT,
		Data:   []byte("tick\n"),
	}}}
	if err := out.Send(&toolv1.InvokeResponse{Event: tick}); err != nil {
		return err
	}
	<-out.Context().Done()
	return failure(out, toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_CANCELLED, "the call was cancelled while it waited")
}

func fail(out stream, how string) error {
	switch how {
	case "not_found":
		return failure(out, toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND, "there is nothing of that name")
	case "returned":
		return errors.New("an error that was returned instead of sent")
	case "silent":
		return nil
	case "exit":
		os.Exit(7)
	}
	panic("asked to panic")
}

func (s *toolService) appendNote(out stream, call *toolv1.ToolCall, name, line string) error {
	path := filepath.Join(call.GetCallContext().GetWorkingDirectory(), name)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		category := toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED
		if errors.Is(err, os.ErrNotExist) {
			category = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND
		} else if errors.Is(err, os.ErrPermission) {
			category = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED
		}
		return failure(out, category, err.Error())
	}
	_, err = fmt.Fprintln(file, line)
	if err = errors.Join(err, file.Close()); err != nil {
		return failure(out, toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED, err.Error())
	}
	session := call.GetCallContext().GetSessionId()
	id, err := s.kernel.emit(out.Context(), session, []byte(`{"line":"`+line+`"}`))
	if err != nil {
		fmt.Fprintln(os.Stderr, "emit:", err)
	}
	if err := s.kernel.log(out.Context(), session, "appended to "+name); err != nil {
		fmt.Fprintln(os.Stderr, "log:", err)
	}
	fmt.Println("appended to", name) // reaches the host through the stdio service
	return result(out, map[string]any{"event_id": id})
}

func result(out stream, payload map[string]any) error {
	fields, err := structpb.NewStruct(payload)
	if err != nil {
		return err
	}
	return out.Send(&toolv1.InvokeResponse{Event: &toolv1.ToolEvent{
		Event: &toolv1.ToolEvent_Result{Result: &toolv1.ToolResult{Payload: fields}},
	}})
}

func failure(out stream, category toolv1.ToolErrorCategory, message string) error {
	return out.Send(&toolv1.InvokeResponse{Event: &toolv1.ToolEvent{
		Event: &toolv1.ToolEvent_Error{Error: &toolv1.ToolError{Category: category, Message: message}},
	}})
}
