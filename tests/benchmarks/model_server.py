"""A model on this machine that says words at a pace, for benchmarks of what people see while text streams."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Between two writes, in seconds; each carries as many words as the pace asks for.
_PAUSE_S = 0.01


@contextlib.contextmanager
def talking_model(words_per_s: float, seconds: float) -> Iterator[str]:
    """Serves chat completions that stream a word a chunk.

    Args:
        words_per_s: Words in a second.
        seconds: How long an answer lasts.

    Yields:
        Its host and port.
    """

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            begin, said = time.monotonic(), 0
            with contextlib.suppress(OSError):
                while (passed := time.monotonic() - begin) < seconds:
                    due = int(passed * words_per_s)
                    self.wfile.write(
                        b"".join(
                            _chunk(f"word {said + n}" + (" " if (said + n) % 12 else "\n")) for n in range(due - said)
                        )
                    )
                    said = due
                    time.sleep(_PAUSE_S)
                self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _chunk(text: str) -> bytes:
    return b"data: " + json.dumps({"choices": [{"delta": {"content": text}}]}).encode() + b"\n\n"
