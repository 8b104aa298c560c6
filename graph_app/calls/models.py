"""Models: any server that speaks OpenAI chat completions, asked through the outbound door.

`Models.reasoning` streams text and calls of tools; `Models.function` gives objects that fit a JSON Schema.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from graph_app.calls.accounts import note_asked
from graph_app.calls.chat import ChatClient, ModelChunk, Usage
from graph_app.calls.errors import ModelError
from graph_app.calls.structured import StructuredOutput
from toolkit_app.engine import Door, DoorRequest


class Provider(BaseModel):
    """A configured model server.

    Attributes:
        name: How settings and nodes name it.
        base_url: Address up to `/chat/completions`, such as `https://api.example.com/v1`.
        api_key: Sent as bearer token; empty for none.
        reasoning: Model that writes text.
        function: Model that gives objects; the reasoning model where empty.
        silence_s: Seconds without a byte after which a request is given up.
        retries: How often a busy server (429, 5xx) is asked again.
    """

    model_config = ConfigDict(extra="forbid")

    name: str
    base_url: str
    api_key: str = ""
    reasoning: str
    function: str = ""
    silence_s: float = 60.0
    retries: int = 3


@dataclass(slots=True)
class Models:
    """The models that a run may use; also the `llm` of its executors.

    Attributes:
        providers: All configured providers, the default one first.
        door: Through which they are asked.
        guard: Is called before each request.
    """

    providers: Sequence[Provider]
    door: Door
    guard: Callable[[DoorRequest], None] | None = None
    _clients: dict[str, ChatClient] = field(default_factory=dict)
    _structured: dict[str, StructuredOutput] = field(default_factory=dict)

    def client(self, name: str | None = None) -> tuple[ChatClient, Provider]:
        """Finds a provider by its name or by the name of one of its models; the default one without a name.

        Raises:
            ModelError: If there is none; the message lists what there is.
        """
        provider = self._provider(name)
        if provider.name not in self._clients:
            self._clients[provider.name] = ChatClient(
                provider.base_url,
                provider.api_key,
                self.door,
                guard=self.guard,
                silence_s=provider.silence_s,
                retries=provider.retries,
                label=provider.name,
            )
        return self._clients[provider.name], provider

    def _provider(self, name: str | None) -> Provider:
        for provider in self.providers:
            if not name or name in (provider.name, provider.reasoning, provider.function):
                return provider
        if not self.providers:
            raise ModelError("not_configured", "No model is configured. An admin can add one under Settings.")
        known = ", ".join(provider.name for provider in self.providers)
        raise ModelError("not_configured", f"There is no model {name!r} among the settings; there is {known}.")

    @property
    def reasoning(self) -> Reasoning:
        """The model that writes text."""
        return Reasoning(self)

    @property
    def function(self) -> Function | None:
        """The model that gives objects; none without a provider."""
        return Function(self) if self.providers else None

    def structured(self, name: str | None = None) -> StructuredOutput:
        """Returns what makes objects with a provider's function model; it remembers how that server can do it."""
        client, provider = self.client(name)
        if provider.name not in self._structured:
            self._structured[provider.name] = StructuredOutput(client, provider.function or provider.reasoning)
        return self._structured[provider.name]


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Writes text."""

    models: Models

    async def call(
        self,
        messages: Sequence[Mapping[str, Any]],
        streaming: bool = True,
        *,
        model: str | None = None,
        temperature: float | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> AsyncGenerator[ModelChunk, None]:
        """Asks the model.

        Args:
            messages: Chat messages.
            streaming: Whether the answer comes in pieces.
            model: Name of a provider; the default one unless given.
            temperature: From 0 to 2; the server's own unless given.
            tools: Function schemas that the model may call.

        Yields:
            Pieces with `content`; the last ones carry calls of tools and usage.

        Raises:
            ModelError: If the server can't be asked, refuses, or answers what can't be used.
        """
        client, provider = self.models.client(model)
        request: dict[str, Any] = {"model": provider.reasoning, "messages": list(messages)}
        if temperature is not None:
            request["temperature"] = temperature
        if tools:
            request["tools"] = [{"type": "function", "function": dict(tool)} for tool in tools]
        note_asked(provider.name, provider.reasoning, messages, offered=[str(tool.get("name")) for tool in tools])
        if streaming:
            async for chunk in client.stream(request):
                yield chunk
        else:
            yield await client.complete(request)


@dataclass(frozen=True, slots=True)
class Function:
    """Gives objects."""

    models: Models

    async def call(
        self, messages: Sequence[Mapping[str, Any]], schema: Mapping[str, Any], *, model: str | None = None
    ) -> dict[str, Any]:
        """Asks for an object that fits a schema; it is checked before it is returned.

        Raises:
            ModelError: If the server can't be asked, or gives no fitting object.
        """
        return await self.models.structured(model).make(messages, schema)


__all__ = ["Function", "ModelChunk", "Models", "Provider", "Reasoning", "Usage"]
