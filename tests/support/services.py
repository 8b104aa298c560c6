"""PostgreSQL and Redis for the tests: started on free ports with data of their own, and stopped again.

    python -m tests.support.services postgres redis -- pytest …

sets DATABASE_URL and REDIS_URL for the command. A service that is not installed is a failure under `CI=true`; elsewhere
the command is left out, and that is said.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class MissingServiceError(Exception):
    """A service that is not installed."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Runs PostgreSQL; yields its address."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise MissingServiceError("PostgreSQL is not installed (apt-get install postgresql)")
    binaries = found[-1].parent
    folder = Path(tempfile.mkdtemp(prefix="workbench-postgres-"))
    user: dict[str, Any] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    data, port = folder / "data", free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "cwd": "/", **user}
    subprocess.run(
        [binaries / "initdb", "-D", data, "-U", "workbench", "-A", "trust", "-E", "UTF8", "--no-sync"],
        check=True,
        **quiet,
    )
    options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": folder, "fsync": "off"}
    process = subprocess.Popen(
        [binaries / "postgres", "-D", data, *(f"--{key}={value}" for key, value in options.items())], **quiet
    )
    try:
        _wait_for(port)
        for _ in range(200):  # it listens a moment before it lets anybody in
            ask = [binaries / "psql", "-h", "127.0.0.1", "-p", str(port), "-U", "workbench", "-d", "postgres"]
            if subprocess.run([*ask, "-c", "CREATE DATABASE workbench"], check=False, **quiet).returncode == 0:
                break
            time.sleep(0.05)
        yield f"postgresql://workbench@127.0.0.1:{port}/workbench"
    finally:
        process.terminate()
        process.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Runs Redis; yields its address."""
    binary = shutil.which("redis-server")
    if binary is None:
        raise MissingServiceError("Redis is not installed (apt-get install redis-server)")
    port = free_port()
    process = subprocess.Popen(
        [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(timeout=30)


_SERVICES = {"postgres": (postgres, "DATABASE_URL"), "redis": (redis, "REDIS_URL")}


def main() -> int:
    """Runs a command with services."""
    names, command = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    with contextlib.ExitStack() as stack:
        env = dict(os.environ)
        for name in names:
            start, variable = _SERVICES[name]
            try:
                env[variable] = stack.enter_context(start())
            except MissingServiceError as error:
                print(f"{error}: {'a failure under CI' if env.get('CI') else 'these tests are left out'}.")
                return 1 if env.get("CI") else 0
        return subprocess.run(command, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
