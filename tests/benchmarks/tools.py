"""What a tool call costs: ratios of CPU time against the same request made by hand with aiohttp, in one run.

Usage: python tests/benchmarks/tools.py [--quick]. Exits 1 when a figure is past its limit.
"""

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import aiohttp

sys.path.insert(0, str(Path(__file__).parents[2]))

from toolkit_app.engine import EgressPolicy, ToolRunner, load_tool
from toolkit_app.engine.expand import Scope, expand_url
from toolkit_app.engine.extract import Answer
from toolkit_app.engine.values import Value

QUICK = "--quick" in sys.argv
ROUNDS = 5 if QUICK else 15
CALLS = 400 if QUICK else 1000
OPEN = EgressPolicy(allow_private=True)
failed: list[str] = []


def report(name: str, figure: float, limit: float, unit: str = "") -> None:
    mark = "ok" if figure <= limit else "TOO MUCH"
    if figure > limit:
        failed.append(name)
    print(f"{name:<58} {figure:9.2f} {unit:<3} limit {limit:g} {mark}", flush=True)


def one_step(port: int):
    return load_tool(
        "name: t\ndesc: d\nparams: [{name: id, type: string, required: true, description: d}]\n"
        f"steps:\n  - url: http://127.0.0.1:{port}/orders/${{param:id}}\n"
        "    var: [{name: status, extract: data.status}]\n    result: ${step0:status}\n"
    )


async def in_lanes(lanes: int, calls: int, call) -> float:
    """CPU seconds of this process for `calls` calls, `lanes` at once."""

    async def lane(count: int) -> None:
        for number in range(count):
            await call(number)

    gc.collect()
    gc.disable()
    started = time.process_time()
    await asyncio.gather(*(lane(calls // lanes) for _ in range(lanes)))
    spent = time.process_time() - started
    gc.enable()
    return spent / (calls // lanes * lanes)


async def calls(port: int) -> None:
    tool = one_step(port)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session, ToolRunner(egress=OPEN) as runner:

        async def by_hand(number: int) -> None:
            async with session.get(f"http://127.0.0.1:{port}/orders/{number}") as response:
                assert json.loads(await response.read())["data"]["status"] == "shipped"

        async def by_tool(number: int) -> None:
            result = await runner.run(tool, {"id": str(number)})
            assert result.output == "shipped", result

        ratios: dict[int, float] = {}
        for lanes in (1, 50, 200):
            await in_lanes(lanes, CALLS // 2, by_hand)
            await in_lanes(lanes, CALLS // 2, by_tool)
            pairs = []
            for _ in range(ROUNDS):
                pairs.append((await in_lanes(lanes, CALLS, by_hand), await in_lanes(lanes, CALLS, by_tool)))
            ratios[lanes] = statistics.median(tool_s / hand_s for hand_s, tool_s in pairs)
            hand, ours = (statistics.median(pair[side] for pair in pairs) * 1e6 for side in (0, 1))
            report(f"call, {lanes} at once ({ours:.0f} us against {hand:.0f})", ratios[lanes], 2.5, "x")
        report("ratio at 200 against that at 50", ratios[200] / ratios[50], 1.1, "x")


def expansion() -> None:
    body = json.dumps({"data": {"status": "shipped", "rows": [{"id": n, "name": f"name {n}"} for n in range(25)]}})
    url = "https://api.example.com/orders/${param:id}?s=${step0:s}"
    times = []
    for _ in range(2000):
        started = time.perf_counter()
        scope = Scope({"id": Value("a b")}, {}, [], print)
        scope.variables[0, "s"] = Value("x")
        expand_url(url, scope)
        Answer(body).extract("data.status")
        times.append(time.perf_counter() - started)
    report(f"template and extraction, {len(body)} bytes", statistics.median(times) * 1e6, 50, "us")


def loading() -> None:
    steps = "".join(
        f"  - url: ${{env:BASE}}/orders/${{param:id}}/{n}\n    method: POST\n    headers:\n"
        "      Content-Type: application/json\n"
        f'      Authorization: Bearer ${{step0:token}}\n    body: |\n      {{"n": ${{step0:token}}}}\n'
        "    timeout: 15\n    var:\n"
        "      - name: token\n        extract: data.items[0].token\n        default: ''\n"
        "      - name: other\n        extract: /token=([a-z]+)/\n"
        for n in range(12)
    )
    params = "params:\n  - {name: id, type: string, required: true, description: d}\n"
    text = f"name: t\ndesc: d\nenv: [BASE]\n{params}steps:\n{steps}"
    from toolkit_app.engine import template
    from toolkit_app.engine.paths import parse_path
    from toolkit_app.engine.patterns import parse_pattern

    times = []
    for _ in range(30):
        for cache in (template.parse_template, parse_path, parse_pattern):
            cache.cache_clear()
        started = time.perf_counter()
        load_tool(text)
        times.append(time.perf_counter() - started)
    report(f"loading a tool of {text.count(chr(10))} lines", statistics.median(times) * 1e3, 15, "ms")


def peak_mb(*, reset: bool = False) -> float:
    """The largest size that this process had since the last reset (Linux)."""
    if reset:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


async def memory(port: int) -> None:
    for path in ("big", "gzip", "chunked"):
        tool = load_tool(f"name: t\ndesc: d\nsteps: [{{url: 'http://127.0.0.1:{port}/{path}', timeout: 120}}]")
        async with ToolRunner(egress=OPEN) as runner:
            before = peak_mb(reset=True)
            result = await runner.run(tool)
            grown = peak_mb() - before
        assert result.error is not None
        assert result.error.kind == "too_large", result.error
        report(f"growth by 1 GB, {path}", grown, 20, "MB")


def main() -> int:
    server = [sys.executable, str(Path(__file__).with_name("tools_server.py")), "--bomb"]
    with subprocess.Popen(server, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        try:
            loading()
            expansion()
            asyncio.run(memory(port))
            asyncio.run(calls(port))
        finally:
            process.terminate()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
