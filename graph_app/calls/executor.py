"""The executor that the product gives to its Calls, made from a visit of the graph engine.

Everything that takes time in a long run (history, conversation) is made only when it is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from pydantic import PrivateAttr

from graph_app.calls.services import CallServices
from graph_app.calls.types import CallIds, CallVars, ExecutorBackground, ExecutorHistory, StepData, made
from graph_app.engine import StateMessage, Visit

CONVERSATION_KEPT = 20
"""Most messages of the conversation that a Call sees, the newest."""


class RunExecutor:
    """A step executor over one visit."""

    def __init__(self, services: CallServices, visit: Visit, name: str, description: str, graph_name: str) -> None:
        """Looks at nothing yet.

        Args:
            services: What the run gives.
            visit: The visit.
            name: The step's name.
            description: What it is for.
            graph_name: The graph that the step is in.
        """
        self.services = services
        self.visit = visit
        self.step = SimpleNamespace(step=SimpleNamespace(name=name, description=description))
        self.llm = services.models
        self.state = SimpleNamespace(executorId=graph_name, appId=None)

    @property
    def task(self) -> Any:
        """The task: metadata, state, runtime and context."""
        services = self.services
        return SimpleNamespace(
            metadata=SimpleNamespace(id=services.run_id, userId=services.user_id, conversationId=None),
            state=self.state,
            runtime=SimpleNamespace(language=services.language, sessionId=None, reasoning=""),
            context=self,
        )

    def __iter__(self) -> Any:
        """Yields the history, oldest first, as `task.context`."""
        outputs = self.visit.steps
        for name in self.visit.step_order:
            yield ExecutorHistory(stepId=name, outputData=_mapping(outputs[name]))

    @property
    def question(self) -> str:
        """What the person asked: the last user message."""
        return last_question(self.visit.values)

    @property
    def background(self) -> ExecutorBackground:
        """The conversation; facts are empty until something fills them."""
        messages = self.visit.values.get("messages") or []
        kept = messages[-CONVERSATION_KEPT:]
        return ExecutorBackground.model_construct(
            num=CONVERSATION_KEPT, conversation=[as_chat(message) for message in kept], facts=[]
        )

    def call_vars(self) -> CallVars:
        """Returns the system variables, each made when it is looked at."""
        fields = {"language": self.services.language, "thinking": ""}
        return made(_LazyVars, fields, {"_executor": self})

    @property
    def ids(self) -> CallIds:
        """The ids of the run."""
        return CallIds.model_construct(
            task_id=self.services.run_id,
            executor_id=self.state.executorId,
            session_id=None,
            user_id=self.services.user_id,
            app_id=None,
            conversation_id=None,
        )


class _LazyVars(CallVars):
    """System variables whose costly parts are made at the first look."""

    _executor: Any = PrivateAttr(default=None)

    def __getattr__(self, name: str) -> Any:
        if name in ("ids", "question", "background"):
            value: Any = getattr(self._executor, name)
        elif name == "step_data":
            value = StepData({item.stepId: item for item in self._executor})
        elif name == "step_order":
            value = list(self._executor.visit.step_order)
        else:
            return super().__getattr__(name)  # type: ignore[misc]
        self.__dict__[name] = value
        return value


def run_inputs(visit: Visit) -> Mapping[str, Any]:
    """Returns what the run was started with: the delta of the first link of the visit's ancestry."""
    link = visit.lineage
    while True:
        above = link.parent or link.before
        if above is None:
            return link.delta
        link = above


def last_question(values: Mapping[str, Any]) -> str:
    """Returns the text of the last user message of a state, or an empty text."""
    for message in reversed(values.get("messages") or []):
        chat = as_chat(message)
        if chat["role"] == "user":
            content = chat["content"]
            return content if isinstance(content, str) else str(content or "")
    return ""


def as_chat(message: Any) -> dict[str, Any]:
    """Returns a message of the state as chat APIs take it."""
    if isinstance(message, StateMessage):
        return {"role": message.role, "content": message.content}
    if isinstance(message, Mapping):
        return {"role": message.get("role", "user"), "content": message.get("content")}
    return {"role": "user", "content": str(message)}


def _mapping(output: Any) -> dict[str, Any]:
    return output if isinstance(output, dict) else {"value": output}
