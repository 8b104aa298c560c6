"""Secrets are found in every form in which they may come back."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit_app.engine.redaction import MARK, Redactor, StreamRedactor

SECRETS = ["s3cr3t-Value/42+x", 'quo"te\\back slash', "日本語の秘密キー", "1234567890", "AKIA0123456789ABCDEF"]


def forms(secret: str) -> dict[str, str]:
    raw = secret.encode()
    found = {
        "plain": secret,
        "url": quote(secret, safe=""),
        "url, lower": quote(secret, safe="").replace("%2F", "%2f").replace("%2B", "%2b"),
        "form": quote_plus(secret),
        "hex": raw.hex(),
        "HEX": raw.hex().upper(),
        "json": json.dumps(secret)[1:-1],
        "json, unicode": json.dumps(secret, ensure_ascii=False)[1:-1],
        "html": html.escape(secret),
        "reversed": secret[::-1],
        "basic": base64.b64encode(b"user:" + raw).decode(),
        "base64url": base64.urlsafe_b64encode(raw).decode().rstrip("="),
    }
    for before in range(4):
        for after in range(3):
            text = base64.b64encode(b"x" * before + raw + b"y" * after).decode()
            found[f"base64 {before} {after}"] = text
    return found


@pytest.mark.parametrize("secret", SECRETS)
def test_no_form_survives(secret: str) -> None:
    redactor = Redactor([secret])
    for name, form in forms(secret).items():
        shown = redactor.text(f"before {form} after")
        assert form not in shown, name
        assert MARK in shown, name
        assert shown.startswith("before "), name


@pytest.mark.parametrize("secret", SECRETS)
def test_keys_numbers_and_nested_values(secret: str) -> None:
    redactor = Redactor([secret])
    data = {secret: [{"a": f"x{secret}"}], "n": int(secret) if secret.isdigit() else 1}
    shown = json.dumps(redactor.value(data), ensure_ascii=False)
    assert secret not in shown
    assert data["n"] == (int(secret) if secret.isdigit() else 1), "the input stays as it is"


@pytest.mark.parametrize("secret", SECRETS)
def test_serialised_finds_json_inside_json(secret: str) -> None:
    redactor = Redactor([secret])
    inner = json.dumps({"v": secret}, ensure_ascii=False)
    text = redactor.serialised({"body": inner}, lambda data: json.dumps(data, ensure_ascii=False))
    assert json.loads(json.loads(text)["body"]) == {"v": MARK}


def test_data_without_a_secret_is_dumped_once() -> None:
    calls = []

    def dump(data: object) -> str:
        calls.append(data)
        return json.dumps(data)

    assert Redactor(["not-in-there"]).serialised({"a": 1}, dump) == '{"a": 1}'
    assert len(calls) == 1


def test_secrets_may_be_added() -> None:
    redactor = Redactor()
    assert not redactor
    assert redactor.text("token-abcdef") == "token-abcdef"
    redactor.add("token-abcdef")
    assert redactor.text("token-abcdef") == MARK
    redactor.add("")
    assert redactor.text("other") == "other"


@given(st.sampled_from(SECRETS), st.lists(st.integers(1, 9), min_size=1, max_size=30), st.text(max_size=20))
def test_a_secret_split_over_pieces_is_found(secret: str, sizes: list[int], around: str) -> None:
    text = f"{around} {secret} {around}{secret[::-1]} end"
    stream = StreamRedactor(Redactor([secret]))
    shown, position = "", 0
    for size in sizes * (len(text) // len(sizes) + 1):
        shown += stream.feed(text[position : position + size])
        position += size
        assert secret not in shown
    shown += stream.flush()
    assert shown.endswith(" end")
    assert secret not in shown
    assert secret[::-1] not in shown


def test_half_characters_do_not_hide_a_secret() -> None:
    assert Redactor(["secret-value"]).text("\ud800 secret-value") == f"\ud800 {MARK}"
