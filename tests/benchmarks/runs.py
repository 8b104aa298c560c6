"""Runs under load, on a real server in a process of its own.

python -m tests.benchmarks.runs
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import websockets

from tests.support.server import ROOT, Client, Server

RUNS = 200
NODES = 20
EVENTS = 100_000
ROWS = 100_000
BESIDE_S = 10.0

FILL = """
import datetime, json, uuid
from django.db import connection, transaction
from django.utils import timezone
from graph_app.models import Run, RunEvent
from workbench.models import User
user = User.objects.get(username="ada")
now = timezone.now()
statuses = ["finished"] * 8 + ["failed", "cancelled"]
with transaction.atomic():
    for block in range(0, {rows}, 5000):
        Run.objects.bulk_create(
            Run(kind="tool" if i % 3 else "graph", name=f"name{{i % 50}}", revision=1, user=user,
                status=statuses[i % 10],
                created_at=now - datetime.timedelta(seconds=i), finished_at=now)
            for i in range(block, block + 5000))
    long = Run.objects.create(kind="tool", name="long", revision=1, user=user, status="finished", last_seq={events},
                              finished_at=now)
    text = json.dumps({{"seq": 0, "at": "2026-01-01T00:00:00.000Z", "type": "node.output", "node": "a", "visit": "1",
                       "path": [], "data": {{"chunk": "word " * 8}}}})
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO graph_app_runevent (run_id, seq, event) VALUES (%s, %s, %s)",
            [(long.pk.hex, i, text.replace('"seq": 0', f'"seq": {{i}}')) for i in range(1, {events} + 1)])
print(long.pk)
"""


def memory_mb(server: Server) -> float:
    assert server.process
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line for line in text.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def graph() -> str:
    nodes = {
        f"n{i}": {"call": "Convert", "settings": {"text": "${state:t} x"}, "outputs": {"t": "text"}}
        for i in range(NODES)
    }
    return json.dumps(
        {
            "name": "twenty",
            "state": [{"name": "t", "type": "str"}],
            "entry": "n0",
            "nodes": nodes,
            "edges": [{"source": f"n{i}", "target": f"n{i + 1}"} for i in range(NODES - 1)],
        }
    )


async def read_run(server: Server, token: str, run: str, delays: list[float]) -> str:
    """Reads a run to its end; notes how long each event that was made meanwhile took to come here, in ms."""
    address = f"ws://127.0.0.1:{server.port}/ws/runs/{run}/?after=0"
    async with websockets.connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        opened = time.time()
        while True:
            events = json.loads(await socket.recv())["events"]
            now = time.time()
            made = [datetime.fromisoformat(event["at"]).timestamp() for event in events]
            delays += [(now - at) * 1000 for at in made if at >= opened]
            if events[-1]["type"] in ("run.finished", "run.failed"):
                return str(events[-1]["type"])


async def load(server: Server, token: str) -> tuple[float, float, int]:
    """Starts many runs at once; returns the p95 of the delay, the seconds until all ended, and the failures."""
    headers = {"Authorization": f"Bearer {token}"}
    delays: list[float] = []
    ends: list[str] = []
    async with httpx.AsyncClient(base_url=f"{server.url}/api/v1/", headers=headers, timeout=120) as http:

        async def one() -> None:
            answer = await http.post("graphs/twenty/run/", json={})
            answer.raise_for_status()
            ends.append(await read_run(server, token, answer.json()["run"], delays))

        began = time.monotonic()
        await asyncio.gather(*(one() for _ in range(RUNS)))
    failures = sum(end != "run.finished" for end in ends)
    return statistics.quantiles(delays, n=20)[-1], time.monotonic() - began, failures


async def replay(server: Server, token: str, run: str) -> float:
    """Events of one long run that reach a client, a second; nothing may be missing."""
    address = f"ws://127.0.0.1:{server.port}/ws/runs/{run}/?after=0"
    began, last = time.monotonic(), 0
    async with websockets.connect(
        address, additional_headers={"Authorization": f"Bearer {token}"}, max_size=None
    ) as socket:
        while last < EVENTS:
            for event in json.loads(await socket.recv())["events"]:
                assert event["seq"] == last + 1, "a gap"
                last = event["seq"]
    return EVENTS / (time.monotonic() - began)


def listing(client: Client) -> tuple[float, str]:
    """The slowest filter of the list, in ms."""
    filters = [
        "", "kind=tool", "kind=graph", "name=name7", "status=failed", "status=running,queued",
        "status=failed,cancelled",
        "user=ada", "user=nobody", "kind=tool&name=name7&status=failed&user=ada", "from=2020-01-01T00:00:00Z",
        "to=2020-01-01T00:00:00Z", "name=none",
    ]  # fmt: skip
    slowest = (0.0, "")
    for query in filters:
        times = []
        for _ in range(5):
            began = time.perf_counter()
            client.get(f"runs/?{query}")
            times.append((time.perf_counter() - began) * 1000)
        slowest = max(slowest, (statistics.median(times), query or "no filter"))
    return slowest


def busy_loop() -> str:
    """A graph that loops without waiting for anything, for as long as it may."""
    return json.dumps(
        {
            "name": "busy",
            "state": [{"name": "n", "type": "int", "update": "add"}],
            "entry": "count",
            "nodes": {
                "count": {"call": "Convert", "settings": {"values": {"n": "1"}}, "outputs": {"n": "n"}},
                "again": {"call": "Delay", "settings": {"seconds": 0}},
            },
            "edges": [
                {"source": "count", "target": "again"},
                {"source": "again", "router": '"count"', "possible_targets": ["count", "end"]},
            ],
            "max_turn": 1_000_000,
        }
    )


def beside_a_loop(client: Client) -> tuple[float, float]:
    """The p95 of requests beside a run that never waits, in ms, and the seconds until that run has stopped."""
    run = client.post("graphs/busy/run/", {}, expect=202)["run"]
    times = []
    ends = time.monotonic() + BESIDE_S
    while time.monotonic() < ends:
        for path in ("session/", "tools/", "runs/", f"runs/{run}/"):
            began = time.perf_counter()
            client.get(path)
            times.append((time.perf_counter() - began) * 1000)
        time.sleep(0.05)
    began = time.monotonic()
    client.post(f"runs/{run}/command/", {"command": "cancel"}, expect=200)
    while client.get(f"runs/{run}/")["status"] != "cancelled":
        time.sleep(0.02)
    return statistics.quantiles(times, n=20)[-1], time.monotonic() - began


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "data").start()
        try:
            client = server.first_admin()
            client.post("graphs/", {"definition": graph()}, expect=201)
            token = client.token("admin")
            p95, seconds, failures = asyncio.run(load(server, token))
            peak = memory_mb(server)
            client.post("graphs/", {"definition": busy_loop()}, expect=201)
            beside, stop = beside_a_loop(client)
            script = FILL.format(rows=ROWS, events=EVENTS)
            command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", script]
            filled = subprocess.run(command, cwd=ROOT, env=server.env, capture_output=True, text=True, check=True)
            rate = asyncio.run(replay(server, token, filled.stdout.strip().splitlines()[-1]))
            slowest, query = listing(client)
        finally:
            server.kill()
    rows: list[tuple[str, str, str, Any]] = [
        (f"{RUNS} runs of {NODES} nodes at once: failures", str(failures), "0", failures == 0),
        ("  event to socket, p95", f"{p95:.0f} ms", "500 ms", p95 <= 500),
        ("  until all ended", f"{seconds:.1f} s", "", True),
        ("  memory of the server, peak", f"{peak:.0f} MB", "1024 MB", peak <= 1024),
        ("requests beside a run that never waits, p95", f"{beside:.0f} ms", "250 ms", beside <= 250),
        ("  until it has stopped", f"{stop:.2f} s", "1 s", stop <= 1),
        (f"{EVENTS:,} events of one run to a client", f"{rate:,.0f}/s", "20,000/s", rate >= 20_000),
        (f"list of {ROWS:,} runs, slowest filter ({query})", f"{slowest:.0f} ms", "100 ms", slowest <= 100),
    ]
    for name, measured, limit, reached in rows:
        print(f"{name:<64}{measured:>12}{limit:>12}  {'ok' if reached else 'NOT REACHED'}")
    return 0 if all(row[3] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
