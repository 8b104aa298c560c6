"""Addresses that admins write: what is accepted, and what the refusal says."""

from __future__ import annotations

import pytest

from toolkit_app.network import address_problem


@pytest.mark.parametrize(
    "address",
    ["10.0.0.0/8", "192.168.1.7", "192.168.1.7:8080", "api.internal", "api.internal:8443", "localhost", "::1",
     "fd00::/8", "[::1]:80", "bücher.example", "a_b.local"],
)  # fmt: skip
def test_accepted(address: str) -> None:
    assert address_problem(address) is None


@pytest.mark.parametrize(
    "address",
    ["https://api.internal", "api.internal/x", "", "a b", "host:", "host:0", "host:99999", "host:x", "[::g]:80",
     "10.0.0.0/99", "-a.com", "*.example.com", "a:1:2"],
)  # fmt: skip
def test_refused_with_a_sentence(address: str) -> None:
    assert address_problem(address)
