"""Bodies and answers of the API of runs, as pydantic models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from graph_app.models import Status
from graph_app.runs.differences import Kind
from toolkit_app.schemas import Note, RunMark, VersionRow
from toolkit_app.web import Body, Moment, PageQuery, PlacedProblem


class RunError(Body):
    """Why a run failed, or in a journal a step; `graph` is the nested graph in which that is."""

    kind: str
    message: str
    step: int | None
    node: str | None = None
    graph: str | None = None


class RunRow(Body):
    """A run as listed."""

    id: str
    kind: Literal["tool", "graph"]
    name: str
    revision: int
    status: Status
    mode: str
    environment: str | None
    user: str | None
    parent: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    duration_ms: int | None
    error: RunError | None
    inputs_short: str | None
    """The beginning of the inputs, in lists that ask for it."""


class Breakpoint(Body):
    """A breakpoint as it is set."""

    node: str
    condition: str | None
    on: Literal["enter", "leave"]


class EnteredVersion(Body):
    """A graph or tool that a run entered, and by which revision it goes there."""

    kind: Literal["tool", "graph"]
    name: str
    revision: int


class RunDetail(RunRow):
    """A run with what went in and what came out.

    `rested_ms` is how much of its duration it waited for a person or was paused, until it was last taken up.
    `entered` lists the graphs and tools within it.
    """

    inputs: dict[str, Any]
    output: Any
    warnings: list[str]
    last_seq: int
    steps: list[dict[str, Any]]
    breakpoints: list[Breakpoint]
    rested_ms: int
    entered: list[EnteredVersion]


class RunList(Body):
    """A page of runs."""

    results: list[RunRow]
    next: str | None


class RunQuery(PageQuery):
    """What the list of runs can be filtered by; `status` may name several, with commas."""

    kind: Literal["tool", "graph"] | None = None
    name: str | None = None
    status: str | None = None
    user: str | None = None
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = None
    inputs_short: bool = False
    """Whether rows tell the beginning of their inputs."""

    @field_validator("status")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        known = set(Status.values)
        unknown = [part for part in (value or "").split(",") if part.strip() and part.strip() not in known]
        if unknown:
            raise ValueError(f"{unknown[0]} is no status; the statuses are {', '.join(Status.values)}")
        return value


class EventQuery(Body):
    """Which part of a journal to read."""

    after: int = Field(default=0, ge=0, le=2**53)
    limit: int = Field(default=1000, ge=1, le=10_000)


class EventList(Body):
    """A part of a journal, and the address of the next, or null at its present end."""

    events: list[dict[str, Any]]
    next: str | None


class AskedQuery(Body):
    """Which visit."""

    visit: str


class RunAsked(Body):
    """As the event that ends the visit will tell it, long texts cut; empty where this process doesn't run the visit."""

    input: dict[str, Any] | None
    asked: list[dict[str, Any]]


class WaitQuery(Body):
    """Whether to wait for the run's end."""

    wait: bool = False


class RunStarted(Body):
    """A run that was started."""

    run: str


class RunOutcome(Body):
    """A run that was waited for."""

    run: str
    output: Any
    error: RunError | None
    steps: list[dict[str, Any]]


class Command(BaseModel):
    """A command to a run, with its arguments beside it."""

    model_config = ConfigDict(extra="allow")

    command: Literal[
        "cancel",
        "pause",
        "resume",
        "step_over",
        "run_to",
        "restore_step",
        "change_output",
        "set_breakpoint",
        "clear_breakpoint",
        "answer",
    ]
    visit: str | int | None = None
    node: str | None = None
    key: str | None = None
    condition: str | None = None
    on: Literal["enter", "leave"] | None = None
    value: Any = None


class CommandReply(Body):
    """What became of a command."""

    ok: bool
    status: Status


class ForkBody(Body):
    """Where a fork begins: before this visit; with another revision of the graph, where one is given."""

    visit: str | int
    mode: Literal["run", "debug"] = "run"
    revision: int | None = None


class BreakpointBody(Body):
    """A breakpoint."""

    node: str
    condition: str | None = None
    on: Literal["enter", "leave"] = "enter"


class GraphText(Body):
    """A definition, as text or as an object."""

    definition: Annotated[str, StringConstraints(max_length=4 * 1024 * 1024)] | dict[str, Any]


class GraphNew(GraphText):
    """A new graph. A draft may have problems, such as no step yet."""

    draft: bool = False
    note: Note = ""


class GraphSave(GraphText):
    """A save: the definition, and the revision that it was based on."""

    base_revision: int
    note: Note = ""


class GraphRunBody(Body):
    """What a run is started with."""

    inputs: dict[str, Any] = Field(default_factory=dict)
    environment: str | None = None
    revision: int | None = None
    mode: Literal["run", "debug"] = "run"
    breakpoints: list[BreakpointBody] = Field(default_factory=list)


class GraphInput(Body):
    """A state variable that is asked for at the start."""

    name: str
    type: str
    description: str = ""


class GraphBody(Body):
    """A graph with its newest definition, in the form in which it was stored.

    `warnings` tells what is most likely not meant; none of it keeps a graph from running.
    """

    name: str
    description: str
    definition: str | dict[str, Any]
    revision: int
    published_revision: int | None
    problems: list[PlacedProblem]
    warnings: list[PlacedProblem]
    inputs: list[GraphInput]
    updated_at: datetime
    updated_by: str | None


class GraphRow(Body):
    """A graph as listed."""

    name: str
    description: str
    state: Literal["draft", "published", "changed"]
    revision: int
    published_revision: int | None
    problem_count: int
    last_run: RunMark | None
    recent_runs: list[RunMark]
    updated_at: datetime
    updated_by: str | None


class GraphList(Body):
    """A page of graphs."""

    results: list[GraphRow]
    next: str | None


class GraphCheck(Body):
    """What is wrong with a definition, and what is most likely not meant."""

    problems: list[PlacedProblem]
    warnings: list[PlacedProblem]


class GraphVersionBody(VersionRow):
    """A version with its definition, in the form in which it was stored."""

    definition: str | dict[str, Any]


class CallRow(Body):
    """A node type."""

    name: str
    label: str
    description: str
    settings: dict[str, Any]
    inputs: dict[str, Any]
    outputs: dict[str, Any]


class CallList(Body):
    """All node types."""

    results: list[CallRow]
    next: str | None


class ModelRow(Body):
    """A model that a step may name: by its provider's name, or by the name of one of its models."""

    name: str
    model: str
    function: str
    default: bool


class ModelList(Body):
    """All configured models, the default one first."""

    results: list[ModelRow]
    next: str | None


class CallQuery(Body):
    """In which language."""

    language: Literal["zh", "en"] | None = None


class Difference(Body):
    """The first thing that a replay did otherwise than its recording."""

    kind: Kind
    message: str
    node: str | None
    step: int | None
    path: str | None
    expected: str | None
    got: str | None


class SavedTestResult(Body):
    """What came of a test when it was last run."""

    passed: bool
    difference: Difference | None
    revision: int
    at: datetime
    duration_ms: float


class SavedTestRow(Body):
    """A saved test as listed; `status` is how the recorded run ended."""

    id: str
    title: str
    run: str | None
    status: Status
    created_at: datetime
    created_by: str | None
    last_result: SavedTestResult | None


class SavedTestList(Body):
    """A document's saved tests, or those that were run."""

    results: list[SavedTestRow]
    next: str | None


Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]


class SavedTestCreate(Body):
    """Which run becomes a test, and what it is called."""

    run: UUID
    title: Title


class SavedTestRename(Body):
    """A test's new title."""

    title: Title


class SavedTestsRun(Body):
    """What is tested: a revision, the newest unless given; by one test, by all unless given."""

    revision: int | None = None
    id: UUID | None = None
