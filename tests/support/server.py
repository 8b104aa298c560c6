"""A real server in a process of its own, on a free port, with a data folder of its own."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg

ROOT = Path(__file__).resolve().parent.parent.parent
PASSWORD = "correct horse battery staple"


class Server:
    """`manage.py serve`; can be killed and started again on the same data."""

    def __init__(self, data: Path, **env: str) -> None:
        self.data = data
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("WORKBENCH_", "DJANGO_"))}
        self.env |= {"WORKBENCH_DATA": str(data), "PYTHONUNBUFFERED": "1", **env}
        self._has_database = False
        self.port = 0
        self.url = ""
        self.set_up_token: str | None = None
        self.output: list[str] = []
        self.clients: list[Client] = []
        self.process: subprocess.Popen[str] | None = None

    def _own_database(self) -> None:
        """Gives the server a database of its own where the tests run on PostgreSQL."""
        address = os.environ.get("DATABASE_URL")
        if not address or self._has_database:
            return
        self._has_database = True
        name = f"server_{secrets.token_hex(6)}"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        self.env["DATABASE_URL"] = f"{address.rpartition('/')[0]}/{name}"

    def start(self) -> Server:
        self._own_database()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self.port)],
            cwd=ROOT,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout
        line = ""
        for line in self.process.stdout:
            self.output.append(line)
            if line.startswith("Workbench:"):
                break
        else:
            raise RuntimeError("The server did not start:\n" + "".join(self.output))
        # Somebody must read on, or the pipe fills and the server stops.
        threading.Thread(target=self._read, daemon=True).start()
        self.url = re.search(r"http://[^/\s]+", line).group(0)
        self.port = int(self.url.rsplit(":", 1)[1])
        token = re.search(r"token=(\S+)", line)
        self.set_up_token = token.group(1) if token else None
        deadline = time.monotonic() + 30
        while True:
            try:
                httpx.get(f"{self.url}/sandbox/orders/1", timeout=5)
                return self
            except httpx.TransportError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def _read(self) -> None:
        assert self.process and self.process.stdout
        for line in self.process.stdout:
            self.output.append(line)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        for client in self.clients:
            client.http.close()
        self.clients.clear()
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(timeout=30)
            if self.process.stdout:
                self.process.stdout.close()
            self.process = None

    def client(self) -> Client:
        """A new browser; closed when the server ends."""
        client = Client(self.url)
        self.clients.append(client)
        return client

    def first_admin(self, username: str = "ada") -> Client:
        """Uses the link that the server printed."""
        assert self.set_up_token, "this server has an admin already"
        client = self.client()
        client.post("set-up/", {"token": self.set_up_token, "username": username, "password": PASSWORD}, expect=200)
        return client

    def sign_in(self, username: str) -> Client:
        client = self.client()
        client.post("session/", {"username": username, "password": PASSWORD}, expect=200)
        return client

    def member(self, admin: Client, username: str, role: str) -> Client:
        """Invites somebody and uses their link."""
        link = admin.post("users/", {"username": username, "email": "", "role": role}, expect=201)["set_up_link"]
        client = self.client()
        client.post("set-up/", {"token": link.split("token=")[1], "password": PASSWORD}, expect=200)
        return client


class Client:
    """A browser's session with the API."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=f"{url}/api/v1/", timeout=60)

    def request(self, method: str, path: str, body: Any = None, *, expect: int | None = None) -> Any:
        headers = {"X-CSRFToken": self.http.cookies.get("csrftoken", "")}
        answer = self.http.request(method, path, json=body, headers=headers)
        if expect is not None:
            assert answer.status_code == expect, f"{method} {path}: {answer.status_code} {answer.text}"
            return answer.json() if answer.content else None
        return answer

    def get(self, path: str, *, expect: int | None = 200) -> Any:
        return self.request("GET", path, expect=expect)

    def post(self, path: str, body: Any = None, *, expect: int | None = None) -> Any:
        return self.request("POST", path, body if body is not None else {}, expect=expect)

    def put(self, path: str, body: Any, *, expect: int | None = None) -> Any:
        return self.request("PUT", path, body, expect=expect)

    @property
    def cookie(self) -> str:
        return f"sessionid={self.http.cookies['sessionid']}"

    def token(self, scope: str = "admin") -> str:
        return self.post("tokens/", {"name": "test", "scope": scope}, expect=201)["token"]
