// Command vectors writes the bytes that Go makes of every case, or checks bytes that another stack made.
//
//	vectors write CASES.json           prints "HEX NAME" a line, in the order of the cases
//	vectors check CASES.json FILE.txt  decodes each line of FILE, encodes it again and compares; once more with
//	                                   fields appended that no version knows
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "tenon.dev/interop/gen/pluggableharness/hook/v1"
	_ "tenon.dev/interop/gen/pluggableharness/kernel/v1"
	_ "tenon.dev/interop/gen/pluggableharness/plan/v1"
	_ "tenon.dev/interop/gen/pluggableharness/tool/v1"
	_ "tenon.dev/interop/gen/tenon/extension/v1"
)

type vectorCase struct {
	Name    string          `json:"name"`
	Message string          `json:"message"`
	JSON    json.RawMessage `json:"json"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 2 && args[0] == "write" {
		return write(args[1])
	}
	if len(args) == 3 && args[0] == "check" {
		return check(args[1], args[2])
	}
	return errors.New("usage: vectors write CASES.json | vectors check CASES.json FILE.txt")
}

func readCases(path string) ([]vectorCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var cases []vectorCase
	return cases, json.Unmarshal(text, &cases)
}

func fresh(name string) (proto.Message, error) {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return kind.New().Interface(), nil
}

func encode(message proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(message)
}

func write(path string) error {
	cases, err := readCases(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for _, c := range cases {
		message, err := fresh(c.Message)
		if err != nil {
			return err
		}
		if err := protojson.Unmarshal(c.JSON, message); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		data, err := encode(message)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		fmt.Fprintf(out, "%s %s\n", hex.EncodeToString(data), c.Name)
	}
	return out.Flush()
}

// unknown is two fields of numbers that no version uses.
func unknown() []byte {
	tail := protowire.AppendTag(nil, 19998, protowire.VarintType)
	tail = protowire.AppendVarint(tail, 7)
	tail = protowire.AppendTag(tail, 19997, protowire.BytesType)
	return protowire.AppendString(tail, "of a later version")
}

// same decodes data as c's message and compares its meaning and its bytes; sorted maps make the bytes unique.
func same(c vectorCase, data []byte) error {
	message, err := fresh(c.Message)
	if err != nil {
		return err
	}
	if err := proto.Unmarshal(data, message); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	again, err := encode(message)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	if !bytes.Equal(again, data) {
		return fmt.Errorf("%s: encoded again it differs:\n got  %x\n want %x", c.Name, again, data)
	}
	return nil
}

func check(casesPath, path string) error {
	cases, err := readCases(casesPath)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if len(lines) != len(cases) {
		return fmt.Errorf("%s has %d lines, %d cases are known", path, len(lines), len(cases))
	}
	for index, c := range cases {
		encoded, name, _ := strings.Cut(lines[index], " ")
		if name != c.Name {
			return fmt.Errorf("%s:%d: is %q, expected %q", path, index+1, name, c.Name)
		}
		data, err := hex.DecodeString(encoded)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, index+1, err)
		}
		want, err := fresh(c.Message)
		if err != nil {
			return err
		}
		if err := protojson.Unmarshal(c.JSON, want); err != nil {
			return err
		}
		got := want.ProtoReflect().New().Interface()
		if err := proto.Unmarshal(data, got); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if !proto.Equal(got, want) {
			return fmt.Errorf("%s: decodes to something else: %s", c.Name, protojson.Format(got))
		}
		if err := same(c, data); err != nil {
			return err
		}
		if err := same(c, append(data, unknown()...)); err != nil {
			return err
		}
	}
	fmt.Printf("%d messages agree\n", len(cases))
	return nil
}
