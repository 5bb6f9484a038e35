package main

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"
	toolv1 "tenon.dev/interop/gen/pluggableharness/tool/v1"
)

// check looks at a call before it runs: the operation exists, the context is set, and every argument is a
// declared string with an allowed value.
func check(call *toolv1.ToolCall) *toolv1.ToolError {
	index := slices.IndexFunc(schema.GetTools(), func(tool *toolv1.ToolSchema) bool { return tool.GetName() == call.GetToolName() })
	if index < 0 {
		return &toolv1.ToolError{
			Category: toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND,
			Message:  fmt.Sprintf("no operation %q", call.GetToolName()),
		}
	}
	if call.GetCallContext().GetWorkingDirectory() == "" {
		return invalid("call_context.working_directory is not set")
	}
	input := schema.GetTools()[index].GetInputSchema()
	fields := call.GetArguments().GetFields()
	for _, name := range input.GetRequired() {
		if _, given := fields[name]; !given {
			return invalid("/" + name + ": required")
		}
	}
	for name, value := range fields {
		property, declared := input.GetProperties()[name]
		if !declared {
			return invalid("/" + name + ": not a declared argument")
		}
		text, isText := value.GetKind().(*structpb.Value_StringValue)
		if !isText {
			return invalid("/" + name + ": must be a string")
		}
		if allowed := property.GetEnumValues(); len(allowed) > 0 && !slices.Contains(allowed, text.StringValue) {
			return invalid("/" + name + ": not one of the allowed values")
		}
	}
	return nil
}

func invalid(message string) *toolv1.ToolError {
	return &toolv1.ToolError{
		Category: toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS,
		Message:  message,
	}
}
