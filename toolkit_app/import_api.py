"""REST of what helps to write a step: cURL commands, and extractions tried on an answer."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field, StringConstraints
from rest_framework.request import Request
from rest_framework.response import Response

from toolkit_app.engine import QueryItem
from toolkit_app.importers.credentials import Part
from toolkit_app.importers.curl import MAX_COMMAND
from toolkit_app.importing import curl_import, extract_suggest, extract_try
from toolkit_app.web import ApiView, Body, Operation

_ANSWER = Annotated[str, StringConstraints(max_length=2 * 1024 * 1024)]


class CurlText(Body):
    """A cURL command."""

    command: Annotated[str, StringConstraints(max_length=MAX_COMMAND)]


class ImportedStep(Body):
    """The fields of a step that a command gave."""

    url: str
    method: str
    headers: dict[str, str] = Field(default_factory=dict)
    query: list[QueryItem] = Field(default_factory=list)
    body: str | None = None
    timeout: int | None = None


class EnvironmentNeed(Body):
    """What an environment has to hold under a name: where its value stands, never the value."""

    name: str
    part: Part
    field: str
    host: str
    secret: bool


class CurlStep(Body):
    """What a command became: the step, the names to declare, what they stand for, and what needs a look."""

    step: ImportedStep
    env: list[str]
    needs: list[EnvironmentNeed]
    notes: list[str]


class ExtractTry(Body):
    """An answer's text and an extraction."""

    text: _ANSWER
    extract: Annotated[str, StringConstraints(max_length=20_000)]


class ExtractSelection(Body):
    """An answer's text and what is selected in it, in characters (code points)."""

    text: _ANSWER
    start: Annotated[int, Field(ge=0, le=2 * 1024 * 1024)]
    end: Annotated[int, Field(ge=0, le=2 * 1024 * 1024)]


class ExtractFound(Body):
    """What an extraction finds, with the text around it; or what is wrong with it."""

    extract: str
    problem: str | None
    found: bool
    value: str
    before: str
    after: str


class CurlImportView(ApiView):
    """A cURL command as a step."""

    needs: ClassVar[dict[str, str]] = {"POST": "tools.write"}
    describes: ClassVar[dict[str, Operation]] = {"POST": Operation("tools_import_curl", {200: CurlStep}, body=CurlText)}

    def post(self, request: Request) -> Response:
        """Turns a command into a step. Nothing is stored; credentials become references to the environment."""
        imported = curl_import(self.body(request, CurlText).command)
        step = imported.step.model_dump(include=set(ImportedStep.model_fields), exclude_unset=True)
        answer = CurlStep(
            step=ImportedStep.model_validate(step),
            env=list(imported.env),
            needs=[
                EnvironmentNeed(name=one.name, part=one.part, field=one.field, host=one.host, secret=one.secret)
                for one in imported.needs
            ],
            notes=list(imported.notes),
        )
        return Response(answer.model_dump())


class ExtractTryView(ApiView):
    """An extraction, tried."""

    needs: ClassVar[dict[str, str]] = {"POST": "tools.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("tools_extract_try", {200: ExtractFound}, body=ExtractTry)
    }

    def post(self, request: Request) -> Response:
        """Tries an extraction on a text as a run does; nothing is stored."""
        given = self.body(request, ExtractTry)
        return Response(extract_try(given.text, given.extract))


class ExtractSuggestView(ApiView):
    """A pattern for a selection."""

    needs: ClassVar[dict[str, str]] = {"POST": "tools.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("tools_extract_suggest", {200: ExtractFound}, body=ExtractSelection)
    }

    def post(self, request: Request) -> Response:
        """Writes a pattern that finds what is selected, and tries it; nothing is stored."""
        given = self.body(request, ExtractSelection)
        return Response(extract_suggest(given.text, given.start, given.end))
