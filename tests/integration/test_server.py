"""A real server in its own process: sockets, kills and restarts, secrets in every sink, the demo."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from tests.support.server import ROOT, Client, Server
from tests.unit.toolkit_app.test_redaction import forms

SLOW = "name: slow\ndesc: x\nsteps: [{{url: 'http://sandbox/slow?seconds={seconds}', timeout: 60}}]\n"
MANY = """name: many
desc: Many steps
params: [{name: n, type: integer, required: false, description: how often, default: 60}]
steps:
  - url: http://sandbox/echo?n=1
    var: [{name: a, extract: method}]
    next: 0
"""


def connect(server: Server, client: Client, path: str, **options: Any) -> Any:
    headers = {"Cookie": client.cookie, **options.pop("headers", {})}
    return websockets.connect(
        f"ws://127.0.0.1:{server.port}/{path}",
        additional_headers=headers,
        origin=options.pop("origin", server.url),
        max_size=None,
        **options,
    )


async def read_until_end(socket: Any, events: list[dict[str, Any]]) -> None:
    while not events or events[-1]["type"] not in ("run.finished", "run.failed", "run.cancelled"):
        events += json.loads(await asyncio.wait_for(socket.recv(), 30))["events"]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    server = Server(tmp_path / "data").start()
    yield server
    server.kill()


class TestDemo:
    @pytest.mark.parametrize(
        ("name", "output"),
        [
            ("order_status", "Order 1042 is delivered. Amount: 261.9 EUR\n"),
            ("weather_from_page", "21.5 °C, wind 12 km/h\n"),
            ("service_limits", "120 requests a minute; ask Ada for more\n"),
            ("list_items", '["Desk lamp","Notebook","Chair"] of 7 items\n'),
        ],
    )
    def test_each_runs_at_once(self, ada: Client, name: str, output: str) -> None:
        done = ada.post(f"tools/{name}/run/?wait=true", {"params": {}}, expect=200)
        assert (done["output"], done["error"]) == (output, None)

    def test_the_fallback_jumps_and_then_does_not(self, ada: Client) -> None:
        first = ada.post("tools/price_with_fallback/run/?wait=true", {}, expect=200)
        second = ada.post("tools/price_with_fallback/run/?wait=true", {}, expect=200)
        outputs = {first["output"].split(" (")[1], second["output"].split(" (")[1]}
        assert outputs == {"from the first source)\n", "from the catalogue, because the first source was down)\n"}
        jumped = first if "catalogue" in first["output"] else second
        assert [step["step"] for step in jumped["steps"]] == [0, 2]

    def test_all_are_published(self, ada: Client) -> None:
        rows = ada.get("tools/")["results"]
        demo = [row for row in rows if row["updated_by"] is None]
        assert len(demo) == 5
        assert {row["state"] for row in demo} == {"published"}


class TestDemoGraphs:
    def run(self, ada: Client, name: str, **inputs: Any) -> dict[str, Any]:
        answer = ada.post(f"graphs/{name}/run/?wait=true", {"inputs": inputs})
        return answer.json()

    def test_a_router_with_an_approval(self, ada: Client) -> None:
        cheap = self.run(ada, "order_desk", order_id="2")
        assert "delivered" in cheap["output"]["messages"][-1]["content"]
        run = self.run(ada, "order_desk", order_id="1042")["run"]
        events = ada.get(f"runs/{run}/events/")["events"]
        (asked,) = [event for event in events if event["type"] == "node.waiting"]
        assert asked["data"]["question"]["question"] == "Order 1042 is worth 261.9. Approve it?"
        body = {"command": "answer", "visit": asked["visit"], "value": True}
        ada.post(f"runs/{run}/command/", body, expect=200)
        deadline = time.monotonic() + 20
        while ada.get(f"runs/{run}/")["status"] != "finished":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert ada.get(f"runs/{run}/")["output"]["approved"] is True

    def test_three_at_once_and_a_join(self, ada: Client) -> None:
        done = self.run(ada, "three_sources")
        assert "Weather: 21.5 °C" in done["output"]["report"]
        assert "ask Ada" in done["output"]["report"]

    def test_a_loop_over_pages(self, ada: Client) -> None:
        output = self.run(ada, "all_pages")["output"]
        assert len(output["names"]) == 7
        assert output["names"][-1] == "Umbrella"

    def test_a_conversation_that_calls_a_tool(self, ada: Client) -> None:
        messages = [{"role": "user", "content": "What is the status of order 1042?"}]
        done = self.run(ada, "order_chat", messages=messages)
        assert "Order 1042 is delivered" in done["output"]["messages"][-1]["content"]
        events = ada.get(f"runs/{done['run']}/events/")["events"]
        assert [event["node"] for event in events if event["type"] == "step.response"] == ["answer", "answer"]


class TestSockets:
    async def test_live_equals_replay(self, server: Server, ada: Client) -> None:
        ada.post("tools/", {"yaml": MANY})
        run = ada.post("tools/many/run/", {"params": {}}, expect=202)["run"]
        live: list[dict[str, Any]] = []
        async with connect(server, ada, f"ws/runs/{run}/?after=0") as socket:
            await read_until_end(socket, live)
        assert live == ada.get(f"runs/{run}/events/?limit=10000")["events"]
        assert live[-1]["data"]["error"]["kind"] == "step_limit"
        async with connect(server, ada, f"ws/runs/{run}/?after=100") as socket:
            replayed: list[dict[str, Any]] = []
            await read_until_end(socket, replayed)
        assert replayed == live[100:]

    async def test_drops_at_any_moment_leave_no_gap(self, server: Server, ada: Client) -> None:
        ada.post("tools/", {"yaml": MANY})
        run = ada.post("tools/many/run/", {"params": {}}, expect=202)["run"]

        async def reader(every: int) -> list[int]:
            seen: list[int] = []
            ended = False
            while not ended:
                async with connect(server, ada, f"ws/runs/{run}/?after={seen[-1] if seen else 0}") as socket:
                    for _ in range(every):
                        events = json.loads(await asyncio.wait_for(socket.recv(), 30))["events"]
                        seen += [event["seq"] for event in events]
                        ended = events[-1]["type"] == "run.failed"
                        if ended:
                            break
            return seen

        readers = await asyncio.gather(*(reader(1 + number % 3) for number in range(20)))
        for seen in readers:
            assert seen == list(range(1, seen[-1] + 1))
        assert len({len(seen) for seen in readers}) == 1

    async def test_cancel_by_socket(self, server: Server, ada: Client) -> None:
        ada.post("tools/", {"yaml": SLOW.format(seconds=30)})
        run = ada.post("tools/slow/run/", {"params": {}}, expect=202)["run"]
        async with connect(server, ada, f"ws/runs/{run}/") as socket:
            assert "run.started" in await socket.recv()
            await socket.send("not json")
            await socket.send('{"id": 7, "command": "cancel"}')
            frames = []
            while not any("run.cancelled" in frame for frame in frames) or sum("reply" in f for f in frames) < 2:
                frames.append(await asyncio.wait_for(socket.recv(), 10))
            replies = [json.loads(frame) for frame in frames if "reply" in frame]
            assert (replies[0]["ok"], replies[0]["reply"]) == (False, None)
            assert replies[1] == {"reply": 7, "ok": True, "status": "stopping"}
            await socket.send('{"id": 8, "command": "cancel"}')
            again = json.loads(await asyncio.wait_for(socket.recv(), 10))
            assert (again["reply"], again["ok"]) == (8, False)
        assert ada.get(f"runs/{run}/")["status"] == "cancelled"

    async def test_the_list_shows_changes(self, server: Server, ada: Client) -> None:
        async with connect(server, ada, "ws/runs/") as socket:
            await asyncio.sleep(0.2)
            run = ada.post("tools/order_status/run/", {"params": {"order_id": "2"}}, expect=202)["run"]
            statuses: list[str] = []
            while not statuses or statuses[-1] != "finished":
                rows = json.loads(await asyncio.wait_for(socket.recv(), 10))["runs"]
                own = [row for row in rows if row["id"] == run]
                statuses += [row["status"] for row in own]
                assert all(row["inputs_short"] == "order_id: 2" for row in own), "new rows can be told apart too"
        assert set(statuses) <= {"queued", "running", "finished"}

    @pytest.mark.parametrize("path", ["ws/runs/", "ws/runs/{run}/"])
    async def test_who_may_open_one(self, server: Server, ada: Client, members: dict[str, Client], path: str) -> None:
        run = ada.post("tools/list_items/run/?wait=true", {}, expect=200)["run"]
        address = f"ws://127.0.0.1:{server.port}/{path.format(run=run)}"

        async def code(**options: Any) -> int:
            async with websockets.connect(address, **options) as socket:
                try:
                    await asyncio.wait_for(socket.recv(), 0.5)
                except TimeoutError:
                    return 0
                except websockets.ConnectionClosed as closed:
                    return closed.rcvd.code if closed.rcvd else -1
                return 0

        cookie = {"Cookie": members["viewer"].cookie}
        token = {"Authorization": f"Bearer {members['viewer'].token('viewer')}"}
        assert await code() == 4401
        assert await code(additional_headers=cookie) == 4401, "a cookie needs the own origin"
        assert await code(additional_headers=cookie, origin="http://evil.example") == 4401
        assert await code(additional_headers=cookie, origin=server.url) == 0
        assert await code(additional_headers=token) == 0
        assert await code(additional_headers={"Authorization": "Bearer nonsense"}, origin=server.url) == 4401

    async def test_a_viewer_reads_but_does_not_command(
        self, server: Server, ada: Client, members: dict[str, Client]
    ) -> None:
        run = ada.post("tools/list_items/run/?wait=true", {}, expect=200)["run"]
        async with connect(server, members["viewer"], f"ws/runs/{run}/?after=1000") as socket:
            await socket.send('{"id": 1, "command": "cancel"}')
            reply = json.loads(await socket.recv())
        assert reply["ok"] is False
        assert "role" in reply["error"]

    async def test_unknown_runs_and_addresses(self, server: Server, ada: Client) -> None:
        for path in ("ws/runs/00000000-0000-0000-0000-000000000000/", "ws/nothing/"):
            with pytest.raises((websockets.ConnectionClosed, websockets.InvalidStatus)):
                async with connect(server, ada, path) as socket:
                    await asyncio.wait_for(socket.recv(), 5)


class TestRestart:
    def test_tools_and_runs_survive_a_kill(self, own: Server) -> None:
        admin = own.first_admin()
        admin.post("tools/", {"yaml": SLOW.format(seconds=1)}, expect=201)
        done = admin.post("tools/list_items/run/?wait=true", {}, expect=200)["run"]
        before = admin.get(f"runs/{done}/events/")
        going = [admin.post("tools/slow/run/", {}, expect=202)["run"] for _ in range(3)]
        own.kill()
        own.start()
        assert own.set_up_token is None, "there is an admin already"
        again = own.sign_in("ada")
        assert again.get(f"runs/{done}/events/") == before
        assert "slow" in [row["name"] for row in again.get("tools/")["results"]]
        deadline = time.monotonic() + 30
        while {again.get(f"runs/{run}/")["status"] for run in going} != {"finished"}:
            assert time.monotonic() < deadline, "the runs did not go on"
            time.sleep(0.2)
        for run in going:
            types = [event["type"] for event in again.get(f"runs/{run}/events/")["events"]]
            assert types.count("run.finished") == 1

    def test_a_stop_leaves_runs_to_the_next_server(self, own: Server) -> None:
        admin = own.first_admin()
        admin.post("tools/", {"yaml": SLOW.format(seconds=2)}, expect=201)
        run = admin.post("tools/slow/run/", {}, expect=202)["run"]
        while len(admin.get(f"runs/{run}/events/")["events"]) < 2:
            time.sleep(0.02)
        own.stop()
        own.start()
        again = own.sign_in("ada")
        deadline = time.monotonic() + 30
        while again.get(f"runs/{run}/")["status"] != "finished":
            assert time.monotonic() < deadline
            time.sleep(0.2)

    def test_the_first_admins_link_is_made_anew_until_it_was_used(self, own: Server) -> None:
        first = own.set_up_token
        own.kill()
        own.start()
        assert own.set_up_token not in (None, first)


class TestSecrets:
    def test_planted_secrets_are_in_no_sink(self, own: Server) -> None:
        """Eight encodings come back from a server that echoes them; none is found anywhere."""
        secret = "planted/Secret+value=1234"
        admin = own.first_admin()
        admin.post("environments/", {"name": "prod"}, expect=201)
        put = {"value": secret, "hosts": ["sandbox"]}
        admin.put("environments/prod/secrets/API_KEY/", put, expect=200)
        encoded = "\n".join(forms(secret).values())
        text = (
            "name: echoing\ndesc: x\nenv: [API_KEY]\n"
            "params: [{name: text, type: string, required: true, description: x}]\n"
            "steps:\n  - url: http://sandbox/echo?q=${env:API_KEY}\n    method: POST\n"
            "    headers: {Authorization: 'Bearer ${env:API_KEY}', Content-Type: text/plain}\n"
            "    body: '${env:API_KEY} ${param:text}'\n"
            "    var: [{name: all, extract: body}, {name: sent, extract: headers.authorization}]\n"
            "    result: '${step0:all} ${step0:sent}'\n"
        )
        admin.post("tools/", {"yaml": text}, expect=201)
        body = {"params": {"text": encoded}, "environment": "prod"}
        done = admin.post("tools/echoing/run/?wait=true", body)
        sinks = {
            "answer": done.text,
            "run": admin.request("GET", f"runs/{done.json()['run']}/").text,
            "events": admin.request("GET", f"runs/{done.json()['run']}/events/").text,
            "list": admin.request("GET", "runs/").text,
            "environment": admin.request("GET", "environments/prod/").text,
            "audit": admin.request("GET", "audit/").text,
            "schema": admin.request("GET", "tools/echoing/").text,
            "log": "".join(own.output),
        }
        assert done.json()["error"] is None
        own.stop()
        with sqlite3.connect(own.data / "workbench.sqlite3") as database:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
                for column in columns:
                    if (table, column) == ("graph_app_run", "inputs"):
                        continue  # what the caller typed in is kept as it is, to be run again after a crash
                    values = database.execute(f'SELECT "{column}" FROM "{table}"').fetchall()
                    sinks[f"{table}.{column}"] = "\n".join(
                        value.decode("latin-1") if isinstance(value, bytes) else str(value) for (value,) in values
                    )
        for sink, content in sinks.items():
            for name, form in forms(secret).items():
                assert form not in content, f"{name} in {sink}"

    def test_a_secret_goes_to_its_hosts_only(self, own: Server) -> None:
        admin = own.first_admin()
        admin.post("environments/", {"name": "prod"}, expect=201)
        put = {"value": "a-secret-value", "hosts": ["api.example.com"]}
        admin.put("environments/prod/secrets/API_KEY/", put, expect=200)
        text = "name: leak\ndesc: x\nenv: [API_KEY]\nsteps: [{url: 'http://sandbox/echo?k=${env:API_KEY}'}]\n"
        admin.post("tools/", {"yaml": text}, expect=201)
        done = admin.post("tools/leak/run/?wait=true", {"environment": "prod"}, expect=200)
        assert done["error"]["kind"] == "egress"
        assert "API_KEY" in done["error"]["message"]
        assert "a-secret-value" not in json.dumps(done)

    def test_private_addresses_are_closed_until_an_admin_opens_them(self, own: Server) -> None:
        admin = own.first_admin()
        target = f"127.0.0.1:{own.port}"
        text = f"name: inward\ndesc: x\nsteps: [{{url: 'http://{target}/sandbox/orders/1'}}]\n"
        admin.post("tools/", {"yaml": text}, expect=201)
        assert admin.post("tools/inward/run/?wait=true", {}, expect=200)["error"]["kind"] == "egress"
        rule = {"address": target, "for": "tools", "reason": "test"}
        admin.request("PATCH", "settings/", {"network": {"allow": [rule]}}, expect=200)
        assert admin.post("tools/inward/run/?wait=true", {}, expect=200)["error"] is None
        admin.request("PATCH", "settings/", {"network": {"allow": []}}, expect=200)
        assert admin.post("tools/inward/run/?wait=true", {}, expect=200)["error"]["kind"] == "egress"


class TestFolder:
    def test_a_bad_file_is_a_warning_that_names_it(self, tmp_path: Path) -> None:
        folder = tmp_path / "tools"
        folder.mkdir()
        (folder / "good.yaml").write_text("name: good\ndesc: x\nsteps: [{url: 'http://sandbox/orders/1'}]\n")
        (folder / "bad.yaml").write_text("name: bad\nsteps: [")
        (folder / "binary.yaml").write_bytes(b"\xff\xfe\xff")
        (folder / "twice.yaml").write_text("name: good\ndesc: another\nsteps: [{url: 'http://sandbox/orders/2'}]\n")
        (folder / "nowhere.yaml").symlink_to(folder / "none.yaml")
        server = Server(tmp_path / "data", WORKBENCH_TOOLS=str(folder)).start()
        try:
            admin = server.first_admin()
            assert admin.get("tools/good/")["published_revision"] == 1
            warnings = [line for line in server.output if "Warning" in line]
            assert any("bad.yaml" in line for line in warnings)
            assert any("binary.yaml" in line for line in warnings)
            assert any("twice.yaml" in line and "used by" in line for line in warnings)
            assert any("nowhere.yaml" in line for line in warnings)
            assert len(warnings) == 4
            server.kill()
            server.start()
            assert server.sign_in("ada").get("tools/good/")["revision"] == 1, "the same text makes no version"
        finally:
            server.kill()


class TestStart:
    @pytest.mark.parametrize(
        ("variable", "value"), [("PORT", "many"), ("DATABASE_URL", "mysql://x/y"), ("WORKBENCH_HTTPS", "perhaps")]
    )
    def test_a_wrong_variable_stops_the_start_with_a_hint(self, tmp_path: Path, variable: str, value: str) -> None:
        env = {**Server(tmp_path).env, variable: value}
        done = subprocess.run(
            [sys.executable, "manage.py", "serve"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert variable in done.stderr

    def test_a_port_in_use_is_said(self, server: Server, tmp_path: Path) -> None:
        env = Server(tmp_path).env
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(server.port)],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert str(server.port) in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize(
        ("spoil", "arguments", "words"),
        [
            ("file", [], "WORKBENCH_DATA"),
            ("keys.json", [], "workbench.E003"),
            ("django.key", [], "django.key"),
            ("workbench.sqlite3", [], "database can't be used"),
            (None, ["--port", "70000"], "70000 is no port"),
            (None, ["--host", "no.such.host.invalid"], "WORKBENCH_HOST"),
            (None, ["--host", "192.0.2.1"], "WORKBENCH_HOST"),
        ],
    )
    def test_what_can_not_be_used_is_said(
        self, tmp_path: Path, spoil: str | None, arguments: list[str], words: str
    ) -> None:
        data = tmp_path / "data"
        if spoil == "file":
            data.touch()
        elif spoil is not None:
            data.mkdir(mode=0o700)
            (data / spoil).write_text("this is something else")
            (data / spoil).chmod(0o600)
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", "0", *arguments],
            cwd=ROOT,
            env=Server(data).env,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 1
        assert words in done.stderr
        assert "Traceback" not in done.stderr

    def test_two_servers_may_start_at_once(self, tmp_path: Path) -> None:
        servers = [Server(tmp_path / "data") for _ in range(2)]
        threads = [threading.Thread(target=server.start) for server in servers]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert all(httpx.get(f"{server.url}/sign-in").status_code == 200 for server in servers)
        finally:
            for server in servers:
                server.kill()

    def test_nobody_picks_the_address_that_is_locked_out(self, own: Server) -> None:
        own.first_admin()
        body = {"username": "ada", "password": "wrong"}
        statuses = [
            httpx.post(
                f"{own.url}/api/v1/session/", json=body, headers={"X-Forwarded-For": f"9.9.9.{number}"}
            ).status_code
            for number in range(12)
        ]
        assert statuses[-1] == 429

    def test_bodies_have_an_end(self, server: Server) -> None:
        def pieces() -> Iterator[bytes]:
            yield b'{"username": "'
            for _ in range(64):
                yield b"x" * 1024 * 1024

        answer = httpx.post(
            f"{server.url}/api/v1/session/", content=pieces(), headers={"Content-Type": "application/json"}, timeout=60
        )
        assert answer.status_code == 413
        assert answer.headers["content-type"] == "application/problem+json"

    def test_keys_are_private(self, own: Server) -> None:
        own.first_admin()
        for path in (own.data, own.data / "django.key", own.data / "audit.key", own.data / "audit.head"):
            assert path.stat().st_mode & 0o077 == 0, path

    def test_help_lists_the_variables(self) -> None:
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert "WORKBENCH_DATA" in done.stdout

    def test_pages_and_their_policy(self, server: Server) -> None:
        answer = httpx.get(f"{server.url}/sign-in")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
