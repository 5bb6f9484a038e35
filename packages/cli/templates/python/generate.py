"""Writes the Python stubs of proto/ to gen/."""

import pathlib
import shutil
import sys

import grpc_tools
from grpc_tools import protoc

HERE = pathlib.Path(__file__).resolve().parent
PROTO = HERE / "proto"
WELL_KNOWN = pathlib.Path(grpc_tools.__file__).parent / "_proto"


def main() -> int:
    out = HERE / "gen"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    files = sorted(str(path) for path in (PROTO / "pluggableharness").rglob("*.proto"))
    return protoc.main(
        ["protoc", f"-I{PROTO}", f"-I{WELL_KNOWN}", f"--python_out={out}", f"--grpc_python_out={out}", *files]
    )


if __name__ == "__main__":
    sys.exit(main())
