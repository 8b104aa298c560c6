"""From a run's journal to a recording that stands alone: what servers, models and people answered, visit by visit.

It holds no secret, since the journal holds none, and nothing that later runs or environments change.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph_app.calls.places import outermost

TOOL = ""
"""The key of the one visit of a tool's run."""
_ENDS = ("node.finished", "node.failed", "node.skipped")
_LOST = "The request failed when this was recorded."


class Places:
    """Names visits alike in a recording and in its replay: by their node and by what they follow from.

    Their numbers won't do: branches that run at the same time get them in another order in every run.
    """

    def __init__(self) -> None:
        """Knows no visit."""
        self._keys: dict[str, str] = {}
        self._seen: Counter[str] = Counter()

    def begin(self, node: str, visit: str, parents: Sequence[str]) -> str:
        """Returns the key of a visit that begins.

        Args:
            node: Its node.
            visit: Its name in the run.
            parents: The visits from which it follows; those of nested graphs tell none, and are counted instead.
        """
        if visit not in self._keys:
            place, _, _ = visit.rpartition("/")
            if place:
                shape = f"{self.key(place)}/{node}"
            else:
                told = f"{node}<{','.join(self.key(parent) for parent in parents)}"
                shape = f"{node}~{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:16]}"
            self._seen[shape] += 1
            self._keys[visit] = f"{shape}.{self._seen[shape]}"
        return self._keys[visit]

    def key(self, visit: str) -> str:
        """Returns the key of a visit, or of an item of one such as `4[2]`."""
        if visit.endswith("]"):
            begin = visit.rindex("[")
            return self.key(visit[:begin]) + visit[begin:]
        return self._keys.get(visit, visit)


@dataclass(slots=True)
class _Visit:
    node: str | None
    name: str
    path: list[str]
    parents: list[str]
    output: Any = None
    error: dict[str, Any] | None = None
    calls: dict[int | None, dict[int, dict[str, Any]]] = field(default_factory=dict)
    asked: Any = None


class _Reader:
    """Reads a journal; visits that were taken back are forgotten."""

    def __init__(self) -> None:
        self.visits: dict[str, _Visit] = {}
        self._finished: list[str] = []
        self._inside: dict[str, list[str]] = {}

    def take(self, event: Mapping[str, Any]) -> None:
        kind, data, name = event["type"], event["data"], event["visit"]
        if event["node"] is None and kind.startswith("step."):
            name = TOOL
            self.visits.setdefault(TOOL, _Visit(None, TOOL, [], []))
        if kind in _ENDS and name in self.visits:
            self.visits[name].asked = (data or {}).get("asked")
        match kind:
            case "node.started":
                known = self.visits.get(name)
                parents = [str(parent) for parent in (data or {}).get("parents") or ()]
                made = _Visit(event["node"], name, list(event["path"]), known.parents if known else parents)
                self.visits[name] = made  # one that failed and is tried again keeps its place, and nothing else
            case "node.finished" if name in self.visits:
                self.visits[name].output = data.get("output")
                if "/" not in name:
                    self._finished.append(name)
                else:
                    self._inside.setdefault(name.rpartition("/")[0], []).append(name)
            case "node.failed" if name in self.visits:
                self.visits[name].error = data.get("error")
            case "run.started" if "kept" in data:
                self._enter_anew(data["kept"])
            case "debug.restored":
                self._take_back(data.get("visit"), data.get("lost") or ())
            case "run.failed" if TOOL in self.visits:
                self.visits[TOOL].error = data.get("error")
            case "step.started" if name in self.visits:
                answers = self.visits[name].calls.setdefault(data.get("call"), {})
                if data["visit"] == 0:  # the step began anew after the server stopped
                    answers.clear()
                answers[data["visit"]] = {"step": data["step"]}
            case "step.response" if name in self.visits:
                self.visits[name].calls[data.get("call")][data["visit"]] = _answer(data)

    def _enter_anew(self, kept: Mapping[str, int]) -> None:
        """Forgets what a fork with a mended graph doesn't keep of nested graphs that had not ended."""
        stay: set[str] = set()
        for place, ended in self._inside.items():
            self._inside[place] = ended if outermost(place) in self._finished else ended[: kept.get(place, 0)]
            stay.update(self._inside[place])
        self.visits = {name: one for name, one in self.visits.items() if "/" not in name or name in stay}

    def _take_back(self, visit: Any, lost: Iterable[str]) -> None:
        if visit is None and self._finished:
            visit = self._finished[-1]
        if str(visit) not in self._finished:  # a fork may begin at a visit that was still open
            return
        gone = {str(visit), *lost}
        for name, one in self.visits.items():  # in the order in which they began: parents come first
            if gone.intersection(one.parents):
                gone.add(name)
        self.visits = {name: one for name, one in self.visits.items() if outermost(name) not in gone}
        self._finished = [name for name in self._finished if name not in gone]


def recorded_visits(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns a journal's visits, in the order in which they began.

    Args:
        events: The journal with its ancestors' before it, whole values put back.

    Returns:
        For each visit `key`, `node`, `path`, `after` (keys), `output`, `error`, and `calls`: of each call of a tool,
        `call` (which one, where a visit makes several) and its `answers`, in order. One that asked models has `asked`
        too: the messages that began each conversation; what went on with one followed from answers.
    """
    reader = _Reader()
    for event in events:
        reader.take(event)
    places = Places()
    found = []
    for visit in reader.visits.values():
        key = TOOL if visit.node is None else places.begin(visit.node, visit.name, visit.parents)
        found.append(
            {
                "key": key,
                "node": visit.node,
                "path": visit.path,
                "after": [places.key(parent) for parent in visit.parents],
                "output": visit.output,
                "error": visit.error,
                "calls": [{"call": call, "answers": _answers(visit, call)} for call in visit.calls],
                **_asked(visit.asked),
            }
        )
    return found


def changed_by_hand(events: Iterable[Mapping[str, Any]]) -> bool:
    """Says whether somebody changed values in the run: what followed can't be repeated from its inputs."""
    return any(event["type"] == "debug.changed" and event["visit"] is not None for event in events)


def _answer(data: Mapping[str, Any]) -> dict[str, Any]:
    request, response = data["request"], data["response"]
    known = {"step": data["step"], "method": request["method"], "url": request["url"]}
    if response is None:
        return {**known, "cached": True}
    return {
        **known,
        "status": response["status"],
        "reason": response["reason"],
        "headers": dict(response["headers"]),
        "text": response["text"],
    }


def _asked(told: Any) -> dict[str, Any]:
    """Returns with which messages each conversation with a model began; older journals tell none."""
    if not isinstance(told, list):
        return {}
    return {"asked": [one["messages"][: one["sent"][0]] for one in told]}


def _answers(visit: _Visit, call: int | None) -> list[dict[str, Any]]:
    cut_off = visit.node is not None and visit.output is None and visit.error is None
    ordered = [answer for _, answer in sorted(visit.calls[call].items()) if not answer.get("cached")]
    if cut_off:  # another step failed meanwhile: nobody knows what would have come
        return [answer for answer in ordered if "status" in answer]
    return [answer if "status" in answer else {**answer, **_failure(visit, call)} for answer in ordered]


def _failure(visit: _Visit, call: int | None) -> dict[str, Any]:
    """Returns why a request had no answer, as far as the journal tells."""
    error = visit.error or {}
    message = error.get("message")
    if visit.node is None:
        return {"failed": message or _LOST, "kind": error.get("kind")}
    output = visit.output if isinstance(visit.output, dict) else {}
    told = output.get("tool_calls")
    if call is not None and isinstance(told, list) and call < len(told):
        message = told[call].get("output")
    elif call is not None and isinstance(output.get("errors"), dict):
        message = output["errors"].get(str(call))
    if not isinstance(message, str):
        return {"failed": _LOST, "kind": None}
    _, _, rest = message.partition(" failed: ")
    rest = rest or message
    if rest.startswith("step ") and ": " in rest:
        rest = rest.partition(": ")[2]
    return {"failed": rest, "kind": None}
