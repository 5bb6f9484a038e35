package main

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	configv1 "tenon.dev/interop/gen/pluggableharness/config/v1"
	schemav1 "tenon.dev/interop/gen/pluggableharness/schema/v1"
	toolv1 "tenon.dev/interop/gen/pluggableharness/tool/v1"
)

func text(description string) *schemav1.Schema {
	return &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_STRING, Description: description}
}

func object(properties map[string]*schemav1.Schema, required ...string) *schemav1.Schema {
	return &schemav1.Schema{
		Type:       schemav1.SchemaType_SCHEMA_TYPE_OBJECT,
		Properties: properties,
		Required:   required,
	}
}

func read(name, description string, streaming bool, input, output *schemav1.Schema) *toolv1.ToolSchema {
	return &toolv1.ToolSchema{
		Name:           name,
		Kind:           toolv1.ToolKind_TOOL_KIND_DATA_SOURCE,
		Risk:           toolv1.RiskClass_RISK_CLASS_READ_ONLY,
		Description:    description,
		InputSchema:    input,
		OutputSchema:   output,
		Streaming:      streaming,
		Concurrency:    &toolv1.ConcurrencySpec{Safe: true},
		DefaultTimeout: durationpb.New(30 * time.Second),
	}
}

var schema = &toolv1.GetSchemaResponse{
	Tools: []*toolv1.ToolSchema{
		read("echo", "Gives the text back.", false,
			object(map[string]*schemav1.Schema{"text": text("What to give back.")}, "text"),
			object(map[string]*schemav1.Schema{"text": text("The same text.")}, "text")),
		read("wait", "Streams a tick and waits until it is cancelled.", true,
			object(map[string]*schemav1.Schema{}),
			object(map[string]*schemav1.Schema{})),
		read("fail", "Fails in the category that is asked for.", false,
			object(map[string]*schemav1.Schema{
				"how": {
					Type:        schemav1.SchemaType_SCHEMA_TYPE_STRING,
					Description: "not_found, returned, silent, panic or exit.",
					EnumValues:  []string{"not_found", "returned", "silent", "panic", "exit"},
				},
			}, "how"),
			object(map[string]*schemav1.Schema{})),
		{
			Name:        "append_note",
			Kind:        toolv1.ToolKind_TOOL_KIND_RESOURCE,
			Risk:        toolv1.RiskClass_RISK_CLASS_LOW,
			Description: "Appends a line to a file of the working directory, tells the kernel's session and its log.",
			InputSchema: object(map[string]*schemav1.Schema{
				"file": text("File name, relative to the working directory."),
				"line": text("The line, without newline."),
			}, "file", "line"),
			OutputSchema: object(map[string]*schemav1.Schema{
				"event_id": text("Id that the kernel gave to the emitted event; empty where it takes none."),
			}, "event_id"),
			Streaming:      true,
			Concurrency:    &toolv1.ConcurrencySpec{Safe: true, KeyFields: []string{"file"}},
			DefaultTimeout: durationpb.New(30 * time.Second),
		},
	},
	ConfigSchema: &configv1.ConfigSchema{
		Attributes: []*configv1.ConfigAttribute{
			{Name: "prefix", Type: configv1.AttrType_ATTR_TYPE_STRING, Description: "Put before every echoed text."},
		},
	},
}
