"""The process in which expressions run that might take too much: reads requests on stdin, answers on stdout.

Started as a script of its own, so that it loads nothing but CEL. Its address space is bounded; its time is bounded by
the parent, which kills it.
"""

import json
import resource
import struct
import sys
import time
from pathlib import Path

_GROWTH = 64 * 1024 * 1024
_TIRED = 20 * 1024 * 1024


def _size() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def main() -> None:
    """Answer requests until stdin ends, or until so much memory was used that a new process is better."""
    sys.path.insert(0, sys.argv[1])
    from cel_expr_python import cel

    dynamic = cel.Type.DYN
    env = cel.NewEnv(variables={"state": dynamic, "steps": dynamic, "input": dynamic})
    env.compile("state.a == [1.0] && steps.b == 'x'").eval(data={"state": {"a": 1.0}, "steps": {}})
    base = _size()
    resource.setrlimit(resource.RLIMIT_AS, (base + _GROWTH, base + _GROWTH))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    read = open(0, "rb", buffering=0, closefd=False).read  # noqa: SIM115 - stdin stays open
    write = open(1, "wb", buffering=0, closefd=False).write  # noqa: SIM115 - so does stdout
    compiled: dict[str, object] = {}

    def receive(count: int) -> bytes:
        parts = []
        while count:
            part = read(count)
            if not part:
                sys.exit(0)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def send(answer: object) -> None:
        body = json.dumps(answer).encode()
        body = struct.pack("<I", len(body)) + body
        while body:
            body = body[write(body) :]

    send({"ready": True})
    while True:
        (length,) = struct.unpack("<I", receive(4))
        source, data = json.loads(receive(length))
        answer: dict[str, object] = {}
        began = time.process_time()
        try:
            expression = compiled.get(source)
            if expression is None:
                expression = env.compile(source)
                if len(compiled) < 256:
                    compiled[source] = expression
            answer["compiled_s"] = time.process_time() - began
            if data is not None:
                value = expression.eval(data=data)  # type: ignore[attr-defined]
                if value.type() == cel.Type.ERROR:
                    answer["error"] = str(value.plain_value())
                else:
                    answer["value"] = value.plain_value()
                del value
        except MemoryError:
            answer = {"error": "it needs too much memory"}
        except Exception as error:
            answer = {"error": str(error), "syntax": data is None}
        answer["tired"] = _size() - base > _TIRED
        try:
            send(answer)
        except (TypeError, ValueError, MemoryError, RecursionError):
            send({"error": "its value is of a type that a state cannot hold, or too large", "tired": answer["tired"]})
        if answer["tired"]:
            return


if __name__ == "__main__":
    main()
