"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import hypothesis
import pytest

from tests.support.server import Client, Server

# No test depends on the clock or on luck: the same examples in every run; `make soak` looks further.
hypothesis.settings.register_profile("suite", deadline=None, derandomize=True)
hypothesis.settings.load_profile("suite")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server for tests that leave no trace that another would trip over."""
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def ada(server: Server) -> Client:
    """The first admin of that server, signed in."""
    return server.first_admin()


@pytest.fixture(scope="session")
def members(server: Server, ada: Client) -> dict[str, Client]:
    """Somebody of each role, signed in."""
    return {role: server.member(ada, f"{role}-one", role) for role in ("viewer", "operator", "author", "admin")}
