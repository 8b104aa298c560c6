"""The tool as data: pydantic models with the field names of the YAML."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_TIMEOUT_S = 86_400


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Param(_Model):
    """A parameter that the model fills in.

    Source: specification, "params".
    """

    name: str
    type: Literal["string", "number", "integer", "boolean"]
    required: bool
    description: str
    default: Any = None

    @property
    def has_default(self) -> bool:
        """Whether the definition gives a default, be it null."""
        return "default" in self.model_fields_set


class QueryItem(_Model):
    """A key and a value of the query string; keys may repeat."""

    key: str
    value: str


class Variable(_Model):
    """A named value taken out of the answer.

    Source: specification, "var".
    """

    name: str
    extract: str | None = None
    default: str | None = None
    abort: bool = False
    jump: int | None = None


class Step(_Model):
    """One request and what is done with its answer.

    `timeout` is in seconds, 1 to 86,400, for the whole step.

    Source: specification, "steps".
    """

    url: str
    method: Literal["GET", "POST", "PUT", "DELETE", "PATCH"] = "GET"
    headers: dict[str, str] = Field(default_factory=dict)
    query: list[QueryItem] = Field(default_factory=list)
    body: str | None = None
    timeout: int = Field(default=30, ge=1, le=MAX_TIMEOUT_S)
    cache: bool = False
    next: int | None = None
    var: list[Variable] = Field(default_factory=list)
    result: str | None = None


class ToolDefinition(_Model):
    """A tool for a model, made of HTTP requests.

    Source: specification, the table of top-level fields.
    """

    name: str
    desc: str
    params: list[Param] = Field(default_factory=list)
    env: list[str] = Field(default_factory=list)
    steps: list[Step]

    def function_schema(self) -> dict[str, Any]:
        """The tool as a model sees it: `name`, `description` and `parameters`, a JSON Schema of type object."""
        properties: dict[str, Any] = {}
        for param in self.params:
            properties[param.name] = {"type": param.type, "description": param.description}
            if param.has_default:
                properties[param.name]["default"] = param.default
        required = [param.name for param in self.params if param.required]
        parameters = {"type": "object", "properties": properties, "required": required}
        return {"name": self.name, "description": self.desc, "parameters": parameters}
