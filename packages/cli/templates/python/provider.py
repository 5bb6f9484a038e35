#!/usr/bin/env python3
"""A tool provider in Python with grpcio alone, the way go-plugin lets any language be a plugin.

It speaks plain text on loopback (no TLS), so a kernel runs it only when its configuration says tls = "off".
"""

import concurrent.futures
import os
import pathlib
import signal
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "gen"))

import grpc  # noqa: E402
from google.protobuf import json_format, struct_pb2  # noqa: E402
from grpc_health.v1 import health, health_pb2, health_pb2_grpc  # noqa: E402
from pluggableharness.common.v1 import common_pb2  # noqa: E402
from pluggableharness.schema.v1 import schema_pb2  # noqa: E402
from pluggableharness.tool.v1 import tool_pb2, tool_pb2_grpc  # noqa: E402

COOKIE_KEY = "PLUGGABLEHARNESS_AGENT_PLUGIN"
COOKIE_VALUE = "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake"


def text(description):
    return schema_pb2.Schema(type=schema_pb2.SCHEMA_TYPE_STRING, description=description)


def obj(required=(), **properties):
    return schema_pb2.Schema(type=schema_pb2.SCHEMA_TYPE_OBJECT, properties=properties, required=required)


OPERATIONS = [
    tool_pb2.ToolSchema(
        name="word_count",
        kind=tool_pb2.TOOL_KIND_DATA_SOURCE,
        risk=tool_pb2.RISK_CLASS_READ_ONLY,
        description="Counts the words of a text.",
        input_schema=obj(required=["text"], text=text("Any text.")),
        output_schema=obj(required=["words"], words=schema_pb2.Schema(type=schema_pb2.SCHEMA_TYPE_NUMBER)),
        concurrency=tool_pb2.ConcurrencySpec(safe=True),
        default_timeout={"seconds": 10},
    ),
    tool_pb2.ToolSchema(
        name="wait",
        kind=tool_pb2.TOOL_KIND_DATA_SOURCE,
        risk=tool_pb2.RISK_CLASS_READ_ONLY,
        description="Streams a tick and waits until it is cancelled.",
        input_schema=obj(),
        output_schema=obj(),
        streaming=True,
        concurrency=tool_pb2.ConcurrencySpec(safe=True),
        default_timeout={"seconds": 30},
    ),
    tool_pb2.ToolSchema(
        name="write_lines",
        kind=tool_pb2.TOOL_KIND_RESOURCE,
        risk=tool_pb2.RISK_CLASS_MODERATE,
        description="Writes lines to a file of the working directory.",
        input_schema=obj(
            required=["file", "lines"],
            file=text("File name, relative to the working directory."),
            lines=schema_pb2.Schema(type=schema_pb2.SCHEMA_TYPE_ARRAY, items=text("One line.")),
        ),
        output_schema=obj(required=["bytes"], bytes=schema_pb2.Schema(type=schema_pb2.SCHEMA_TYPE_NUMBER)),
        concurrency=tool_pb2.ConcurrencySpec(safe=True, key_fields=["file"]),
        default_timeout={"seconds": 10},
        idempotent=True,
    ),
]
BY_NAME = {operation.name: operation for operation in OPERATIONS}
PYTHON_TYPES = {
    schema_pb2.SCHEMA_TYPE_STRING: str,
    schema_pb2.SCHEMA_TYPE_NUMBER: float,
    schema_pb2.SCHEMA_TYPE_BOOLEAN: bool,
    schema_pb2.SCHEMA_TYPE_ARRAY: list,
    schema_pb2.SCHEMA_TYPE_OBJECT: dict,
}


def problems(schema, value, pointer=""):
    """Every place where value does not fit schema."""
    if not isinstance(value, PYTHON_TYPES[schema.type]):
        return [f"{pointer or '/'}: expected {PYTHON_TYPES[schema.type].__name__}"]
    found = []
    if schema.type == schema_pb2.SCHEMA_TYPE_OBJECT:
        found += [f"{pointer}/{name}: required" for name in schema.required if name not in value]
        for name, item in value.items():
            if name in schema.properties:
                found += problems(schema.properties[name], item, f"{pointer}/{name}")
            else:
                found.append(f"{pointer}/{name}: not a declared argument")
    elif schema.type == schema_pb2.SCHEMA_TYPE_ARRAY:
        for index, item in enumerate(value):
            found += problems(schema.items, item, f"{pointer}/{index}")
    return found


def error(category, message):
    return tool_pb2.InvokeResponse(
        event=tool_pb2.ToolEvent(error=tool_pb2.ToolError(category=category, message=message))
    )


def result(payload):
    fields = struct_pb2.Struct()
    fields.update(payload)
    return tool_pb2.InvokeResponse(event=tool_pb2.ToolEvent(result=tool_pb2.ToolResult(payload=fields)))


class ToolService(tool_pb2_grpc.ToolServiceServicer):
    def Describe(self, request, context):
        return tool_pb2.DescribeResponse(
            producer=common_pb2.ProducerRef(
                name="__PROVIDER__",
                version="0.1.0",
                source="__NAME__",
                category=common_pb2.CATEGORY_TOOL,
                protocol_version=1,
            )
        )

    def GetSchema(self, request, context):
        return tool_pb2.GetSchemaResponse(tools=OPERATIONS)

    def Configure(self, request, context):
        unknown = sorted(request.config.fields)
        if unknown:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"unknown attributes: {', '.join(unknown)}")
        return tool_pb2.ConfigureResponse()

    def Invoke(self, request, context):
        call = request.call
        operation = BY_NAME.get(call.tool_name)
        if operation is None:
            yield error(tool_pb2.TOOL_ERROR_CATEGORY_NOT_FOUND, f"no operation {call.tool_name!r}")
            return
        if not call.call_context.working_directory:
            yield error(
                tool_pb2.TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS, "call_context.working_directory is not set"
            )
            return
        arguments = json_format.MessageToDict(call.arguments)
        wrong = problems(operation.input_schema, arguments)
        if wrong:
            yield error(tool_pb2.TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS, "; ".join(wrong))
            return
        yield from getattr(self, operation.name)(arguments, call.call_context, context)

    def word_count(self, arguments, call_context, context):
        yield result({"words": len(arguments["text"].split())})

    def wait(self, arguments, call_context, context):
        ended = threading.Event()
        context.add_callback(ended.set)
        yield tool_pb2.InvokeResponse(
            event=tool_pb2.ToolEvent(
                output_chunk=tool_pb2.ToolEvent.OutputChunk(stream=tool_pb2.OUTPUT_STREAM_STDOUT, data=b"tick\n")
            )
        )
        ended.wait()
        yield error(tool_pb2.TOOL_ERROR_CATEGORY_CANCELLED, "the call was cancelled while it waited")

    def write_lines(self, arguments, call_context, context):
        path = pathlib.Path(call_context.working_directory) / arguments["file"]
        data = "".join(line + "\n" for line in arguments["lines"]).encode()
        try:
            path.write_bytes(data)
        except FileNotFoundError as missing:
            yield error(tool_pb2.TOOL_ERROR_CATEGORY_NOT_FOUND, str(missing))
        except PermissionError as refused:
            yield error(tool_pb2.TOOL_ERROR_CATEGORY_PERMISSION_DENIED, str(refused))
        except OSError as failed:
            yield error(tool_pb2.TOOL_ERROR_CATEGORY_EXECUTION_FAILED, str(failed))
        else:
            yield result({"bytes": len(data)})


def controller(server):
    """go-plugin's controller service: Shutdown(plugin.Empty) ends the process. Both messages are empty."""

    def shutdown(request, context):
        threading.Thread(target=server.stop, args=(0.5,)).start()
        return b""

    return grpc.method_handlers_generic_handler(
        "plugin.GRPCController", {"Shutdown": grpc.unary_unary_rpc_method_handler(shutdown)}
    )


def exit_with_host(host):
    """Ends the process when the host that launched it is gone."""
    while os.getppid() == host:
        threading.Event().wait(0.5)
    os._exit(0)


def main():
    if os.environ.get(COOKIE_KEY) != COOKIE_VALUE:
        print("This is a tool provider. It is started by a kernel, not by hand.", file=sys.stderr)
        return 1
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=64))
    tool_pb2_grpc.add_ToolServiceServicer_to_server(ToolService(), server)
    checks = health.HealthServicer()
    checks.set("plugin", health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    server.add_generic_rpc_handlers((controller(server),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"1|1|tcp|127.0.0.1:{port}|grpc", flush=True)
    threading.Thread(target=exit_with_host, args=(os.getppid(),), daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: server.stop(grace=0))
    server.wait_for_termination()
    return 0


if __name__ == "__main__":
    sys.exit(main())
