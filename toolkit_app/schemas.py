"""Bodies and answers of the API of tools and environments, as pydantic models: validation and OpenAPI in one."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from toolkit_app.names import PATTERN
from toolkit_app.web import Body, PageQuery, PlacedProblem

Name = Annotated[str, StringConstraints(pattern=PATTERN)]
Yaml = Annotated[str, StringConstraints(max_length=4 * 1024 * 1024)]
Note = Annotated[str, StringConstraints(max_length=200)]


class NetworkRuleBody(Body):
    """An address to open: a host, host:port, IP address or network."""

    address: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]
    for_: Literal["tools", "models", "both"] = Field(alias="for")
    reason: Annotated[str, StringConstraints(max_length=500)] = ""


class ToolText(Body):
    """The text of a tool."""

    yaml: Yaml


class ToolSave(Body):
    """A save: the text, and the revision that it was based on."""

    yaml: Yaml
    base_revision: int
    note: Note = ""


class ToolPublish(Body):
    """Which revision runs from outside use; `despite_tests` publishes one on which saved tests fail."""

    revision: int
    despite_tests: bool = False


class ToolRun(Body):
    """What a run is started with."""

    params: dict[str, Any] = Field(default_factory=dict)
    environment: str | None = None
    revision: int | None = None
    until_step: int | None = Field(default=None, ge=0)


class ToolParam(Body):
    """A parameter as the LLM sees it."""

    name: str
    type: str
    required: bool
    description: str
    default: Any = None


class ToolBody(Body):
    """A tool with its newest text."""

    name: str
    desc: str
    yaml: str
    revision: int
    published_revision: int | None
    problems: list[PlacedProblem]
    function_schema: dict[str, Any] | None
    params: list[ToolParam]
    env: list[str]
    updated_at: datetime
    updated_by: str | None


class RunMark(Body):
    """A run as a mark in a strip of the last ones."""

    id: str
    status: str
    created_at: datetime
    duration_ms: int | None


class ToolRow(Body):
    """A tool as listed."""

    name: str
    desc: str
    state: Literal["draft", "published", "changed"]
    revision: int
    published_revision: int | None
    problem_count: int
    last_run: RunMark | None
    recent_runs: list[RunMark]
    updated_at: datetime
    updated_by: str | None


class ToolList(Body):
    """A page of tools."""

    results: list[ToolRow]
    next: str | None


class ToolQuery(PageQuery):
    """What the list of tools can be filtered by."""

    search: str | None = None
    state: Literal["draft", "published", "changed", "faulty"] | None = None


class ToolCheck(Body):
    """What is wrong with a text, and the function that an LLM would see."""

    problems: list[PlacedProblem]
    function_schema: dict[str, Any] | None


class VersionRow(Body):
    """A version as listed."""

    revision: int
    created_at: datetime
    created_by: str | None
    note: str
    published: bool
    problem_count: int


class VersionBody(VersionRow):
    """A version with its text."""

    yaml: str


class VersionList(Body):
    """A page of versions."""

    results: list[VersionRow]
    next: str | None


class VersionDiff(Body):
    """The difference of two versions as unified diff."""

    diff: str


class EnvironmentBody(Body):
    """An environment to make."""

    name: Name
    description: Annotated[str, StringConstraints(max_length=500)] = ""


class EnvironmentChange(Body):
    """What may change of an environment."""

    description: Annotated[str, StringConstraints(max_length=500)]


class EnvironmentRow(Body):
    """An environment as listed."""

    name: str
    description: str
    variables: int
    secrets: int


class EnvironmentList(Body):
    """A page of environments."""

    results: list[EnvironmentRow]
    next: str | None


class VariableRow(Body):
    """A variable; its value is shown to admins."""

    name: str
    value: str | None = None
    updated_at: datetime | None = None
    updated_by: str | None = None
    used_by: list[str] = Field(default_factory=list)


class SecretRow(Body):
    """A secret: that it is set, when, by whom, where it may go and what uses it. Never its value."""

    name: str
    set: bool = True
    hosts: list[str] | None = None
    updated_at: datetime | None = None
    updated_by: str | None = None
    used_by: list[str] = Field(default_factory=list)


class EnvironmentDetail(Body):
    """An environment with its entries."""

    name: str
    description: str
    variables: list[VariableRow]
    secrets: list[SecretRow]


class VariableBody(Body):
    """The value of a variable."""

    value: Annotated[str, StringConstraints(max_length=65536)]


_SECRET_MIN = 4


def _maskable(value: str) -> str:
    if len(value) < _SECRET_MIN:
        raise ValueError(
            f"A secret needs at least {_SECRET_MIN} characters, since a shorter one can't be masked in what runs show: "
            "it would turn up all over ordinary text. Take a longer value, or make it a variable if runs may show it."
        )
    return value


class SecretBody(Body):
    """The value of a secret and the hosts that it may go to."""

    value: Annotated[
        str,
        StringConstraints(max_length=65536),
        AfterValidator(_maskable),
        Field(json_schema_extra={"minLength": _SECRET_MIN}),
    ]
    hosts: list[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]] = Field(
        max_length=100
    )
