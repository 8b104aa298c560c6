"""What a step that still runs was called with and asked of a model, before the journal tells it."""

from __future__ import annotations

import time
from typing import Any

from graph_app.models import Run, Status
from graph_app.services import run_wait
from tests.integration.conftest import TOOL, Api
from tests.integration.test_graph_runs import command, events, make, start
from tests.integration.test_run_refusals import quiet_end

__all__ = ["quiet_end"]

LONG = "word " * 1_000
TALK = f"""name: talk
entry: ask
nodes:
  ask: {{call: LLM, settings: {{system_prompt: Repeat what you hear, user_prompt: "{LONG}"}}}}
edges: []
"""
SLOW = """name: slow
entry: look
nodes:
  look: {call: Tool, settings: {tool: waits, params: {order_id: "7"}}}
edges: []
"""
NOTHING = {"input": None, "asked": []}


def told(api: Api, run: str, key: str) -> Any:
    """What is told of the run's first visit as soon as that is known."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        visit = next((e["visit"] for e in events(api, run) if e["type"] == "node.started"), None)
        if visit is not None:
            answer = api("GET", f"runs/{run}/asked/?visit={visit}")
            assert answer.status_code == 200, answer.content
            if answer.json()[key]:
                return answer.json()
        assert Run.objects.get(pk=run).status in (Status.QUEUED, Status.RUNNING)
    raise AssertionError("nothing was told")


def test_the_messages_are_told_while_the_model_still_answers(author: Api, api: dict[str, Api]) -> None:
    run = start(author, make(author, TALK))
    (asked,) = told(api["viewer"], run, "asked")["asked"]
    assert asked["messages"][0]["content"].startswith("Repeat what you hear")
    assert asked["messages"][-1]["content"] == f"{LONG[:2000]}…"
    assert not any("asked" in event["data"] for event in events(author, run)), "the journal tells it once, at the end"
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    ended = next(e for e in events(author, run) if e["type"] == "node.finished")
    assert ended["data"]["asked"][0]["messages"][-1]["content"] == LONG
    assert author("GET", f"runs/{run}/asked/?visit={ended['visit']}").json() == NOTHING


def test_what_a_tool_was_called_with_is_told_without_secrets(author: Api, admin: Api) -> None:
    slow = TOOL.format(name="waits").replace("orders/", "slow?seconds=5&id=")
    assert author("POST", "tools/", {"yaml": slow}).status_code == 201
    admin("POST", "environments/", {"name": "house"})
    secret = "hunter2-hunter2"
    kept = admin("PUT", "environments/house/secrets/KEY/", {"value": secret, "hosts": ["sandbox"]})
    assert kept.status_code in (200, 201), kept.content
    run = start(author, make(author, SLOW.replace('"7"', '"7${env:KEY}"')), environment="house")
    found = told(author, run, "input")
    assert found["input"]["tool"] == "waits"
    assert found["input"]["params"]["order_id"].startswith("7")
    assert secret not in str(found)
    assert command(author, run, "cancel").status_code == 200
    run_wait(run, at_most_s=20)


def test_nothing_is_told_of_what_is_not_known(author: Api) -> None:
    run = start(author, make(author, "name: quick\nentry: a\nnodes:\n  a: {call: Convert, settings: {text: x}}\n"))
    run_wait(run, at_most_s=20)
    for visit in ("1", "none", "1/2"):
        assert author("GET", f"runs/{run}/asked/?visit={visit}").json() == NOTHING
    assert author("GET", f"runs/{run}/asked/").status_code == 400
    assert author("GET", "runs/00000000-0000-0000-0000-000000000000/asked/?visit=1").status_code == 404
