"""Writes the bytes that Python makes of every case, or checks bytes that another stack made.

    vectors.py write CASES.json           prints "HEX NAME" a line, in the order of the cases
    vectors.py check CASES.json FILE.txt  decodes each line, encodes it again and compares; once more with a
                                          field appended that no version knows
"""

import importlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "gen"))

from google.protobuf import json_format, message_factory, descriptor_pool  # noqa: E402

for path in sorted((HERE / "gen").rglob("*_pb2.py")):
    importlib.import_module(".".join(path.relative_to(HERE / "gen").with_suffix("").parts))

# Field 19997, length-delimited.
UNKNOWN = bytes([0xEA, 0xE1, 0x09, 2]) + b"hi"


def fresh(name):
    descriptor = descriptor_pool.Default().FindMessageTypeByName(name)
    return message_factory.GetMessageClass(descriptor)()


def encode(message):
    return message.SerializeToString(deterministic=True)


def parsed(case):
    return json_format.ParseDict(case["json"], fresh(case["message"]))


def write(cases):
    for case in cases:
        print(encode(parsed(case)).hex(), case["name"])


def check(cases, lines):
    if len(lines) != len(cases):
        raise SystemExit(f"{len(lines)} lines for {len(cases)} cases")
    for case, line in zip(cases, lines):
        encoded, name = line.split(" ", 1)
        if name != case["name"]:
            raise SystemExit(f"found {name!r} where {case['name']!r} was expected")
        data = bytes.fromhex(encoded)
        message = fresh(case["message"])
        message.ParseFromString(data)
        if message != parsed(case):
            raise SystemExit(f"{name}: decodes to something else: {message}")
        for want in (data, data + UNKNOWN):
            message = fresh(case["message"])
            message.ParseFromString(want)
            if encode(message) != want:
                raise SystemExit(f"{name}: encoded again it differs:\n got  {encode(message).hex()}\n want {want.hex()}")
    print(f"{len(cases)} messages agree")


def main(args):
    cases = json.loads(pathlib.Path(args[1]).read_text(encoding="utf-8"))
    if args[0] == "write":
        write(cases)
    elif args[0] == "check":
        check(cases, pathlib.Path(args[2]).read_text(encoding="utf-8").splitlines())
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
