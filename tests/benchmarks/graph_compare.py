"""Every documented behaviour, tried on our engine and on the reference package, and why they differ where they do.

    python -m tests.benchmarks.graph_compare [--peers PYTHON]

The same file runs under both interpreters: with ``--child`` it prints what it saw as JSON.
"""

import argparse
import asyncio
import importlib
import json
import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any, List, TypedDict  # noqa: UP035 - as the specification writes it

CHECKS: list[tuple[str, str, Any]] = []
g: Any = None


def check(name: str, why: str = "") -> Any:
    """Register a behaviour; ``why`` is the reason if the two packages differ."""

    def decorate(function: Any) -> Any:
        CHECKS.append((name, why, function))
        return function

    return decorate


class State(TypedDict):
    messages: Annotated[List, "append_messages"]  # noqa: UP006
    n: Annotated[int, "overwrite"]
    log: Annotated[List, "cat"]  # noqa: UP006


class Unmarked(TypedDict):
    n: int


def cat(old: Any = None, new: Any = None) -> Any:
    old = old if isinstance(old, list) else []
    return old + new if isinstance(new, list) else old


def names(*parts: str, n: Any = None, delay: float = 0) -> Any:
    async def node(state: Any) -> Any:
        await asyncio.sleep(delay)
        return {"log": list(parts)} | ({} if n is None else {"n": n})

    return node


def wired(edges: str, nodes: Any = None, alls: str = "", **build: Any) -> Any:
    builder = g.GraphBuilder(state_schema=State)
    pairs = [pair.split(">") for pair in edges.split()]
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        if name != "end":
            builder.add_node(name, (nodes or {}).get(name) or names(name), "all" if name in alls.split() else "any")
    for source, target in pairs:
        builder.add_edge(source, target)
    builder.set_entry_point(pairs[0][0])
    return builder.build(**build)


def run(engine: Any, inputs: Any = None) -> Any:
    return asyncio.run(engine.run({"messages": [], "log": [], "n": 0} | (inputs or {})))


@check("a chain passes its state on")
def chain() -> Any:
    return run(wired("a>b b>c"))["log"]


@check(
    "a diamond counts the deltas before the fork once",
    "a merge of whole states counts them once a branch; ours is a union of deltas",
)
def diamond() -> Any:
    return run(wired("a>b a>c b>d c>d", alls="d"))["log"]


@check(
    "a branch does not put back what it did not write",
    "the reference merges whole states, so that the second branch's old value wins",
)
def put_back() -> Any:
    return run(wired("a>b a>c b>d c>d", {"a": names("a", n=1), "b": names("b", n=2)}, "d"))["n"]


@check("ANY runs once for each arrival, with that arrival's state")
def any_mode() -> Any:
    seen = []

    async def look(state: Any) -> Any:
        seen.append(list(state["log"]))
        return {}

    run(wired("a>b a>c b>d c>d", {"d": look}))
    return sorted(seen)


@check(
    "a slow branch holds back nothing",
    "the reference runs in rounds: each waits for the slowest node of the one before",
)
def rounds() -> Any:
    order = []

    def noting(name: str, delay: float) -> Any:
        async def node(state: Any) -> Any:
            await asyncio.sleep(delay)
            order.append(name)
            return {}

        return node

    run(wired("a>slow a>b b>c", {"slow": noting("slow", 0.05), "b": noting("b", 0), "c": noting("c", 0)}))
    return order


@check(
    "a join inside a loop waits afresh each time",
    "in the reference a join that was full once fires for every later arrival",
)
def join_in_a_loop() -> Any:
    count = []

    async def joined(state: Any) -> Any:
        count.append(len(state["log"]))
        return {"n": state["n"] + 1}

    builder = g.GraphBuilder(state_schema=State)
    for name in "abc":
        builder.add_node(name, names(name))
    builder.add_node("j", joined, "all")
    for edge in ("ab", "ac", "bj", "cj"):
        builder.add_edge(*edge)
    builder.add_condition_edge("j", lambda state: "a" if state["n"] < 3 else "end", ["a", "end"])
    builder.set_entry_point("a")
    engine = builder.build(max_turn=60)
    run(engine)
    return len(count)


@check(
    "a join over a branch that was not chosen fails and names it",
    "the reference ends as if all were well, without the join",
)
def waiting_join() -> Any:
    builder = g.GraphBuilder(state_schema=State)
    for name in ("a", "b", "c"):
        builder.add_node(name, names(name))
    builder.add_node("j", names("j"), "all")
    builder.add_condition_edge("a", lambda state: "b", ["b", "c"])
    builder.add_edge("b", "j")
    builder.add_edge("c", "j")
    builder.set_entry_point("a")
    return run(builder.build())


@check("an unknown channel in a delta is refused", "the reference drops it without a word")
def unknown_channel() -> Any:
    return run(wired("a>b", {"a": lambda state: {"nope": 1}}))["log"]


@check("an unknown input is refused", "the reference drops it without a word")
def unknown_input() -> Any:
    return run(wired("a>b"), {"nope": 1})["log"]


@check("a delta that is no mapping is refused", "the reference takes anything and goes on")
def no_mapping() -> Any:
    return run(wired("a>b", {"a": lambda state: 3}))["log"]


@check("a channel without a strategy is overwritten", "the reference never updates it")
def unmarked() -> Any:
    builder = g.GraphBuilder(state_schema=Unmarked)
    builder.add_node("a", lambda state: {"n": 5})
    builder.set_entry_point("a")
    return dict(asyncio.run(builder.build().run({"n": 1})))


@check(
    "a plain two-argument function is a strategy",
    "the reference calls a strategy for channels that were not written too",
)
def plain_strategy() -> Any:
    import operator

    if not g.StateUpdater.registered("plus"):
        g.StateUpdater.register("plus")(operator.add)

    class Sum(TypedDict):
        total: Annotated[int, "plus"]
        n: Annotated[int, "overwrite"]

    builder = g.GraphBuilder(state_schema=Sum)
    builder.add_node("a", lambda state: {"total": 2})
    builder.add_node("b", lambda state: {"n": 1})
    builder.add_edge("a", "b")
    builder.set_entry_point("a")
    return dict(asyncio.run(builder.build().run({"total": 1, "n": 0})))


@check(
    "a router may answer a target, a list, and pairs with filters",
    "the same answers are taken; at the end the reference counts the delta before the fork twice, as in the diamond",
)
def routers() -> Any:
    found = []
    for answer in (
        "b",
        ["b", "c"],
        ("b", lambda state: {**state, "log": ["f"]}),
        [("b", lambda state: {**state, "log": ["f"]})],
    ):
        builder = g.GraphBuilder(state_schema=State)
        for name in "abc":
            builder.add_node(name, names(name))
        builder.add_condition_edge("a", lambda state, answer=answer: answer, ["b", "c"])
        builder.set_entry_point("a")
        found.append(sorted(run(builder.build())["log"]))
    return found


@check("a filter that answers no state is an error", "the reference takes it for the state")
def bad_filter() -> Any:
    builder = g.GraphBuilder(state_schema=State)
    builder.add_node("a", names("a"))
    builder.add_node("b", names("b"))
    builder.add_edge("a", "b", state_filter=lambda state: True)
    builder.set_entry_point("a")
    return run(builder.build())["log"]


@check("max_turn counts start and end")
def max_turn() -> Any:
    return [run(wired("a>b b>c", max_turn=limit))["log"] for limit in (2, 3, 4, 5)]


@check(
    "timeout is for one node, not for the run", "the reference takes whole seconds only, and applies them to each round"
)
def timeout() -> Any:
    return run(wired("a>b a>c", {"c": names("c", delay=0.2)}, timeout=0.05))["log"]


@check("a failure names the node and keeps the cause")
def failure() -> Any:
    def bad(state: Any) -> Any:
        raise KeyError("x")

    try:
        run(wired("a>bad", {"bad": bad}))
    except RuntimeError as error:
        return ["bad" in str(error), type(error.__cause__).__name__]
    return None


@check("what a node does to its state stays its own")
def isolation() -> Any:
    async def vandal(state: Any) -> Any:
        state["log"].append("vandal")
        return {}

    return run(wired("a>b b>c", {"b": vandal}))["log"]


@check(
    "the nodes of the page's example run in a thread of their own if they are sync",
    "the reference runs them on the loop's thread and holds up every other branch",
)
def sync_thread() -> Any:
    import threading

    seen = []
    main = threading.get_ident()
    run(wired("a>b", {"a": lambda state: seen.append(threading.get_ident()) or {}}))
    return seen[0] != main


@check("one engine serves several runs at once", "the reference refuses a second run while one is under way")
def at_once() -> Any:
    engine = wired("a>b", {"a": names("a", delay=0.01)})

    async def both() -> Any:
        return await asyncio.gather(*(engine.run({"messages": [], "log": [], "n": n}) for n in (1, 2)))

    return [state["n"] for state in asyncio.run(both())]


@check(
    "a nested graph reports only its changes",
    "the reference returns the whole state as delta, so that lists are doubled",
)
def nested() -> Any:
    return run(wired("a>b", {"b": wired("x>y")}))["log"]


@check("messages get an id and the name of their node, and repeats count once")
def messages() -> Any:
    async def say(state: Any) -> Any:
        return {"messages": [*state["messages"], {"role": "assistant", "content": "x", "msg_id": "1"}]}

    state = run(wired("a>b", {"a": say, "b": say}), {"messages": [{"role": "user", "content": "hi"}]})
    return [(message.role, bool(message.msg_id)) for message in state["messages"]]


@check("the order of two writers is that of the edges, not of arrival")
def order() -> Any:
    return run(wired("a>b a>c b>d c>d", {"b": names("b", n=1, delay=0.03), "c": names("c", n=2)}, "d"))["n"]


@check(
    "dumps and loads round-trip a module's function", "the reference writes code (source or pickles); ours writes names"
)
def round_trip() -> Any:
    builder = g.GraphBuilder(state_schema=State)
    builder.add_node("a", top_level)
    builder.set_entry_point("a")
    written = json.dumps(builder.dumps())
    again = g.GraphBuilder.loads(json.loads(written))
    return [
        run(again.build())["log"],
        "def top_level" not in written and "base64" not in written and len(written) < 2_000,
    ]


def top_level(state: Any) -> Any:
    return {"log": ["top"]}


@check("build lists every problem", "the reference asserts the entry, and finds the rest while running")
def build_problems() -> Any:
    builder = g.GraphBuilder(state_schema=State)
    builder.add_node("a", names("a"))
    builder.add_node("b", names("b"))
    builder.add_edge("a", "b")
    builder.add_edge("b", "a")
    try:
        builder.build()
    except Exception as error:
        return [
            type(error).__mro__[-4].__name__ if not isinstance(error, ValueError) else "ValueError",
            "entry" in str(error),
            "end" in str(error),
        ]
    return None


@check("the debugger's example from the page")
def debugger() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        engine = wired("a>b b>c c>d", graph_mode="debug", db_file_path=str(Path(folder) / "x.db"))

        async def session() -> Any:
            engine.set_breakpoint(node_name_bp="b")
            await engine.debug({"messages": [], "log": [], "n": 0})
            await engine.step_over(node_uuid=engine._trace_tree.get_leaf_node_uuid_by_node_name(node_name="b"))
            engine.restore_step()
            engine.clear_breakpoint(node_name_bp="b")
            return await engine.resume()

        return asyncio.run(session())["log"]


@check("clearing a breakpoint that is not set is no error", "the reference raises a KeyError")
def clearing() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        engine = wired("a>b", graph_mode="debug", db_file_path=str(Path(folder) / "x.db"))
        engine.clear_breakpoint("a")
        return "fine"


@check("change_output changes any channel", "the reference changes a copy that nothing reads")
def changing() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        engine = wired("a>b b>c", graph_mode="debug", db_file_path=str(Path(folder) / "x.db"))

        async def session() -> Any:
            engine.set_breakpoint("c")
            await engine.debug({"messages": [], "log": [], "n": 0})
            tree = engine._trace_tree
            leaf = tree.get_leaf_node_uuid_by_node_name("c")
            parent = next(iter(tree.get_node_by_uuid(leaf).parent))
            engine.change_output(parent, leaf, "n", 42)
            engine.clear_all_breakpoint()
            return await engine.resume()

        return asyncio.run(session())["n"]


def observe(package: str) -> dict[str, str]:
    """Return what each check shows on a package."""
    global g  # noqa: PLW0603
    g = importlib.import_module(package)
    if not g.StateUpdater.registered("cat"):
        g.StateUpdater.register("cat")(cat)
    found = {}
    for name, _, function in CHECKS:
        try:
            found[name] = json.dumps(function(), default=repr)
        except BaseException as error:
            found[name] = f"{type(error).__name__}: {error}".split("\n", 1)[0][:110]
    return found


def main() -> None:
    """Print each behaviour on both, and the reason where they differ."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", default=os.environ.get("WORKBENCH_PEERS_PYTHON"))
    parser.add_argument("--child", action="store_true")
    options = parser.parse_args()
    if options.child:
        logging.disable(logging.CRITICAL)
        try:
            from loguru import logger

            logger.remove()
        except ImportError:
            pass
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            print("RESULT " + json.dumps(observe("evofabric.core.graph")))
        return
    ours = observe("graph_app.engine")
    theirs: dict[str, str] = {}
    if options.peers and Path(options.peers).exists():
        command = [options.peers, str(Path(__file__).resolve()), "--child"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
        theirs = json.loads(lines[-1].removeprefix("RESULT ")) if lines else {}
        if not lines:
            print(done.stderr[-2_000:], file=sys.stderr)
    differing = 0
    for name, why, _ in CHECKS:
        other = theirs.get(name, "n/a")
        same = ours[name] == other
        differing += not same
        print(f"{'same' if same else 'DIFFERENT'}: {name}\n    ours       {ours[name]}")
        if not same:
            print(f"    reference  {other}\n    because    {why or '(no reason listed)'}")
    print(f"{len(CHECKS)} behaviours, {differing} different")


if __name__ == "__main__":
    main()
