"""`Ask`: stops until a person answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, Literal

from pydantic import Field

from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.errors import CallError
from graph_app.calls.references import as_text
from graph_app.calls.schemas import read_schema
from graph_app.calls.settings import described
from graph_app.calls.types import CallInfo, CallOutputChunk, CallVars, LanguageType
from graph_app.engine import WaitForAnswer

MAX_ANSWER = 100_000


class AskInput(DataBase):
    """The question as it is shown."""

    question: str
    kind: str
    choices: list[str] | None = None
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")


class AskOutput(DataBase):
    """What the person answered."""

    answer: Any = Field(default=None, description="The answer: text, a choice, true or false, or an object")


class Ask(CoreCall, input_model=AskInput, output_model=AskOutput):
    """Asks a person and waits for the answer."""

    question: Any = Field(
        json_schema_extra=described(
            zh=("问题", "向人提出的问题，可插入 ${state:变量}"),
            en=("Question", "What the person is asked; ${state:variable} puts a value in"),
            kind="template",
            widget="text",
        ),
    )
    kind: Literal["text", "choice", "confirm", "form"] = Field(
        default="text",
        json_schema_extra=described(
            zh=("回答方式", "文本、选项、是/否，或表单"),
            en=("Answer", "Text, a choice, yes or no, or a form"),
            options={
                "text": ("文本", "Text"),
                "choice": ("从选项中选择", "One of several choices"),
                "confirm": ("是或否", "Yes or no"),
                "form": ("填写表单", "A form to fill in"),
            },
        ),
    )
    choices: Any = Field(
        default=None,
        json_schema_extra=described(
            zh=("选项", "供选择的文本列表"),
            en=("Choices", "The texts to choose from"),
            kind="template",
            widget="texts",
            when={"kind": ["choice"]},
        ),
    )
    schema_: dict[str, Any] | None = Field(
        default=None,
        alias="schema",
        json_schema_extra=described(
            zh=("表单", "表单要填写的字段"),
            en=("Form", "The fields to fill in"),
            kind="schema",
            when={"kind": ["form"]},
        ),
    )

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="询问", description="向人提问，等待回答后继续")
        return CallInfo(name="Ask", description="Asks a person and goes on with the answer")

    async def _init(self, call_vars: CallVars) -> DataBase:
        return AskInput(
            question=as_text(self.question),
            kind=self.kind,
            choices=self._choices() if self.kind == "choice" else None,
            schema=self.schema_ if self.kind == "form" else None,
        )

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        raise WaitForAnswer(input_data if self._services is None else self._services.redactor.value(input_data))
        yield  # makes this a generator

    def accept(self, value: Any) -> dict[str, Any]:
        """Returns the output for an answer.

        Args:
            value: The answer: text, one of the choices, true or false, or an object.

        Raises:
            CallError: If it doesn't fit the question; the message says what would.
        """
        match self.kind:
            case "text":
                fits = isinstance(value, str) and len(value) <= MAX_ANSWER
                wanted = f"text of at most {MAX_ANSWER} characters"
            case "confirm":
                fits, wanted = isinstance(value, bool), "true or false"
            case "choice":
                choices = self._choices()
                fits, wanted = value in choices, f"one of {', '.join(choices)}"
            case "form":
                problem = _form_problem(self.schema_ or {}, value)
                fits, wanted = problem is None, f"an object that fits the form: {problem}"
        if not fits:
            raise CallError(f"{self.name}: the answer must be {wanted}.")
        return {"answer": value}

    def _choices(self) -> list[str]:
        if not isinstance(self.choices, list) or not self.choices:
            raise CallError(f"{self.name}: settings.choices: a list of texts is wanted.")
        return [as_text(choice) for choice in self.choices]


def _form_problem(schema: dict[str, Any], value: Any) -> str | None:
    if not isinstance(value, dict):
        return "an object is wanted"
    return read_schema(schema).problem(value)
