"""Writes the Python stubs of our .proto files to gen/. Run it from anywhere with grpcio-tools installed."""

import pathlib
import shutil
import sys

import grpc_tools
from grpc_tools import protoc

HERE = pathlib.Path(__file__).resolve().parent
PROTO = HERE.parent.parent / "packages" / "protocol" / "proto"
WELL_KNOWN = pathlib.Path(grpc_tools.__file__).parent / "_proto"


def main() -> int:
    out = HERE / "gen"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    files = sorted(str(p) for top in ("pluggableharness", "tenon") for p in (PROTO / top).rglob("*.proto"))
    return protoc.main(
        ["protoc", f"-I{PROTO}", f"-I{WELL_KNOWN}", f"--python_out={out}", f"--grpc_python_out={out}", *files]
    )


if __name__ == "__main__":
    sys.exit(main())
