"""The child processes in which expressions run that might take too much, and their bounds in time."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import select
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from graph_app.engine.errors import ExpressionError

TIME_S = 0.24
"""Seconds that one evaluation may take."""

_START_S = 20.0
_CHILDREN = 4
_MOST_BYTES = 4 * 1024 * 1024
_MOST_ANSWER = 1024 * 1024
"""Reading JSON lets nothing else run in this process: a greater answer would hold up the event loop."""


class _Child:
    """One process, ready for one request at a time."""

    def __init__(self) -> None:
        spec = importlib.util.find_spec("cel_expr_python")
        if spec is None or (spec.origin is None and not spec.submodule_search_locations):
            raise ExpressionError("the package cel-expr-python is not installed")
        folder = str(Path(next(iter(spec.submodule_search_locations or ()))).parent)
        script = str(Path(__file__).with_name("expression_child.py"))
        self.process = subprocess.Popen(  # noqa: S603 - our own script, with no argument from outside
            [sys.executable, "-I", "-S", script, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input = self.process.stdin.fileno()
        self.output = self.process.stdout.fileno()
        os.set_blocking(self.input, False)
        os.set_blocking(self.output, False)

    def wait_ready(self) -> None:
        self._receive(time.monotonic() + _START_S)

    def ask(self, request: bytes, deadline: float) -> dict[str, Any]:
        """Send one request and return its answer.

        Raises:
            TimeoutError: It took too long.
            EOFError: The process died.
        """
        self._send(struct.pack("<I", len(request)) + request, deadline)
        return self._receive(deadline)

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self.input, view) :]
            except BlockingIOError:
                self._wait(self.input, select.POLLOUT, deadline)
            except BrokenPipeError:
                raise EOFError from None

    def _receive(self, deadline: float) -> dict[str, Any]:
        (length,) = struct.unpack("<I", self._read(4, deadline))
        if length > _MOST_ANSWER:
            raise ExpressionError("the expression's value is too large")
        answer: dict[str, Any] = json.loads(self._read(length, deadline))
        return answer

    def _read(self, count: int, deadline: float) -> bytes:
        parts = []
        while count:
            try:
                part = os.read(self.output, min(count, 1 << 16))
            except BlockingIOError:
                self._wait(self.output, select.POLLIN, deadline)
                continue
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    @staticmethod
    def _wait(descriptor: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise TimeoutError

    def kill(self) -> None:
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()


class Pool:
    """A few children, started when they are needed, one of them in advance."""

    def __init__(self) -> None:
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        self._free = threading.Semaphore(_CHILDREN)
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def ask(self, source: str, data: dict[str, Any] | None, time_s: float = TIME_S) -> dict[str, Any]:
        """Compile, and with data evaluate, an expression in a child.

        Args:
            source: The expression.
            data: The values of the names that it uses; ``None`` only compiles it.
            time_s: Seconds that this may take once a child has it.

        Returns:
            ``{"value": …}`` or ``{"error": …}``.

        Raises:
            ExpressionError: It took too much time or memory.
        """
        request = json.dumps([source, data]).encode()
        if len(request) > _MOST_BYTES:
            raise ExpressionError("the values that the expression names are too large")
        with self._free:
            return self._ask(request, time_s)

    def _ask(self, request: bytes, time_s: float) -> dict[str, Any]:
        child = self._take()
        answer: dict[str, Any] = {}
        try:
            answer = child.ask(request, time.monotonic() + time_s)
        except TimeoutError:
            raise ExpressionError(f"the expression took longer than {round(TIME_S * 1000 / 50) * 50} ms") from None
        except EOFError:
            raise ExpressionError("the expression needs too much memory") from None
        finally:
            # An answer that is missing or broken leaves the child in no known state.
            if not answer or answer.get("tired"):
                self._drop(child)
            else:
                with self._lock:
                    self._idle.append(child)
        return answer

    def _take(self) -> _Child:
        if self._owner != os.getpid():
            self._idle, self._all, self._owner = [], set(), os.getpid()
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._start()

    def _start(self) -> _Child:
        child = _Child()
        with self._lock:
            self._all.add(child)
        try:
            child.wait_ready()
        except (EOFError, TimeoutError) as error:
            self._drop(child, spare=False)
            raise ExpressionError("the process for expressions did not start") from error
        return child

    def _drop(self, child: _Child, *, spare: bool = True) -> None:
        with self._lock:
            self._all.discard(child)
            wanted = spare and not self._idle
        child.kill()
        if wanted:
            threading.Thread(target=self._add_spare, name="expression-spare", daemon=True).start()

    def _add_spare(self) -> None:
        try:
            child = self._start()
        except Exception:
            return
        with self._lock:
            if child in self._all:
                self._idle.append(child)

    def close(self) -> None:
        """End all children."""
        with self._lock:
            children, self._all, self._idle = list(self._all), set(), []
        if self._owner == os.getpid():
            for child in children:
                child.kill()


pool = Pool()
atexit.register(pool.close)
