"""The adapter: a Call as a node of the graph engine.

It resolves the settings' templates, makes the Call, streams what it puts out, and turns `outputs` into the delta.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from pydantic import PrivateAttr, ValidationError

from graph_app.calls.accounts import note_input
from graph_app.calls.core import CoreCall
from graph_app.calls.errors import CallError
from graph_app.calls.executor import RunExecutor, last_question, run_inputs
from graph_app.calls.references import Lookup, UnresolvedError, resolve, walk
from graph_app.calls.services import CallServices, count_requests, present_services
from graph_app.calls.settings import template_fields
from graph_app.calls.types import CallOutputType, NodeInfo
from graph_app.engine import AsyncNode, NodeResult, Visit, current_visit, get_stream_writer
from graph_app.engine.streaming import run_scope
from toolkit_app.engine.redaction import StreamRedactor

MESSAGES = "messages"
_writer = get_stream_writer()


class CallNode(AsyncNode):
    """Runs a Call for each visit of a node.

    Attributes:
        call: The Call's class.
        info: The node's configuration.
        settings: The settings as written.
        outputs: State variable to the path in the step's output.
        flags: `to_user` and `enable_filling` of the node.
        bound: What the run gives, `CallServices`, where the graph was built for one run; a session gives its own.
        graph_name: The graph that the node is in.
    """

    call: type[CoreCall]
    info: NodeInfo
    settings: dict[str, Any]
    outputs: dict[str, str]
    flags: dict[str, bool]
    bound: Any = None
    graph_name: str = ""
    step_description: str = ""

    _static: dict[str, Any] = PrivateAttr()
    _templates: dict[str, Any] = PrivateAttr()
    _has_text: bool = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Parts the settings into those with references, which are resolved at each visit, and the rest."""
        names = template_fields(self.call)
        self._templates = {key: value for key, value in self.settings.items() if key in names and _holds(value)}
        self._static = {key: value for key, value in self.settings.items() if key not in self._templates}
        self._static.update(self.flags)
        self._has_text = "text" in self.call.output_model.model_fields

    @property
    def services(self) -> CallServices:
        """What the present run gives."""
        services: CallServices = present_services.get() or self.bound
        return services

    async def __call__(self, state: Any) -> NodeResult:
        """Runs the Call for the present visit.

        Raises:
            CallError: If the step fails; the message names the step.
            WaitForAnswer: If the Call waits for a person.
        """
        visit = current_visit()
        assert visit is not None, "a Call runs as a node of a graph"
        settings = self._static
        if self._templates:
            settings = {**settings, **self._resolved(visit)}
        count_requests()
        executor = RunExecutor(self.services, visit, self.info.name, self.step_description, self.graph_name)
        try:
            call = await self.call.instance(executor, self.info, **settings)
        except ValidationError as error:
            raise CallError(_unfit(self.info.name, error)) from error
        given = call.called_with()
        if given is not None:
            note_input(given)
        output = await self._put_out(call, executor)
        return NodeResult(self._delta(output), output)

    def answered(self, value: Any, visit: Visit) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns delta and output of a visit that waited, once a person has answered.

        Args:
            value: The answer, as it came.
            visit: The visit.

        Raises:
            CallError: If the answer doesn't fit the question.
        """
        settings = {**self._static, **(self._resolved(visit) if self._templates else {})}
        call = self.call(name=self.info.name, description=self.step_description, node=self.info, **settings)
        output = self.services.redactor.value(call.accept(value))  # type: ignore[attr-defined]
        return self._delta(output), output

    async def _put_out(self, call: CoreCall, executor: RunExecutor) -> dict[str, Any]:
        """Streams the Call's chunks; returns its output data, without secrets."""
        redactor = self.services.redactor
        stream = StreamRedactor(redactor)
        pieces: list[str] = []
        output: dict[str, Any] = {}
        async with contextlib.aclosing(call.exec(executor, call.input)) as chunks:
            async for chunk in chunks:
                content = chunk.content
                if chunk.type is CallOutputType.TEXT:
                    shown = stream.feed(content) if redactor else content  # type: ignore[arg-type]
                    if shown:
                        pieces.append(shown)  # type: ignore[arg-type]
                        _writer.put(shown)
                elif chunk.type is CallOutputType.DATA:
                    output.update(content)  # type: ignore[arg-type]
                else:
                    message = content if isinstance(content, str) else str(content.get("message", content))
                    raise CallError(redactor.text(f"{self.info.name}: {message}"))
        rest = stream.flush()
        if rest:
            pieces.append(rest)
            _writer.put(rest)
        if redactor:
            output = redactor.value(output)
        if self._has_text and "text" not in output:
            output["text"] = "".join(pieces)
        return output

    def _delta(self, output: dict[str, Any]) -> dict[str, Any]:
        delta = {}
        for channel, path in self.outputs.items():
            try:
                value = walk(output, path, f"the output of {self.info.name}")
            except UnresolvedError as error:
                raise CallError(
                    f"{self.info.name}: outputs.{channel} (Into the state) asks for {path!r}, but {error}."
                ) from error
            delta[channel] = _as_messages(value) if channel == MESSAGES else value
        return delta

    def _resolved(self, visit: Visit) -> dict[str, Any]:
        found = {}
        lookups = self._lookups(visit)
        for field, value in self._templates.items():
            try:
                found[field] = resolve(value, lookups)
            except UnresolvedError as error:
                raise CallError(f"{self.info.name}: settings.{field}: {error}.") from error
        return found

    def _lookups(self, visit: Visit) -> Mapping[str, Lookup]:
        def node(path: str) -> Any:
            step, _, rest = path.partition("/")
            outputs = visit.steps
            if step not in outputs:
                raise UnresolvedError(f"{step!r} has put nothing out before this step; {_names(outputs)}")
            return walk(outputs[step], rest, f"the output of {step}")

        def state(path: str) -> Any:
            name, _, rest = path.partition("/")
            if name not in visit.values:
                raise UnresolvedError(f"there is no state variable {name!r}; {_names(visit.values)}")
            return walk(visit.values[name], rest, name)

        def inputs(path: str) -> Any:
            name, _, rest = path.partition("/")
            given = run_inputs(visit)
            if name not in given:
                raise UnresolvedError(f"no input {name!r} was given; {_names(given)}")
            return walk(given[name], rest, name)

        def system(path: str) -> Any:
            if path != "question":
                raise UnresolvedError(f"there is no ${{sys:{path}}}; there is ${{sys:question}}")
            return last_question(visit.values)

        def env(path: str) -> Any:
            if path not in self.services.env:
                raise UnresolvedError(f"the environment has no {path!r}; an admin can add it under Environments")
            return self.services.env[path]

        return {"node": node, "state": state, "input": inputs, "sys": system, "env": env}


def _holds(value: Any) -> bool:
    if isinstance(value, str):
        return "${" in value
    if isinstance(value, Mapping):
        return any(_holds(item) for item in value.values())
    return isinstance(value, list) and any(_holds(item) for item in value)


def _as_messages(value: Any) -> Any:
    """Returns text as an assistant message; messages stay as they are."""
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}]
    return value if isinstance(value, list) else [value]


def _names(values: Mapping[str, Any]) -> str:
    return f"there is {', '.join(map(str, values))}" if values else "there is none yet"


def _unfit(name: str, error: ValidationError) -> str:
    parts = [f"settings.{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors()]
    return f"{name}: {'; '.join(parts)}"


def step_event(kind: str, data: dict[str, Any]) -> None:
    """Tells the run's stream of something inside the running visit, such as a tool's step."""
    scope, visit = run_scope.get(), current_visit()
    if scope is not None and visit is not None:
        scope.event(kind, visit.node, visit.id, data)
