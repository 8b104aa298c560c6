"""Secrets at rest: sealed, bound to their row, with keys that rotate."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from toolkit_app.vault import Sealed, Vault, VaultError


def test_round_trip_and_a_private_key_file(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "keys" / "keys.json")
    sealed = vault.seal("sécret", "row-1")
    assert vault.open(sealed, "row-1") == "sécret"
    assert Vault(tmp_path / "keys" / "keys.json").open(sealed, "row-1") == "sécret"
    assert stat.S_IMODE((tmp_path / "keys" / "keys.json").stat().st_mode) == 0o600


def test_nothing_of_the_value_is_in_what_is_stored(tmp_path: Path) -> None:
    sealed = Vault(tmp_path / "k").seal("plain-secret", "row")
    assert b"plain-secret" not in sealed.sealed_value + sealed.wrapped_key


def test_a_value_moved_into_another_row_does_not_open(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "k")
    with pytest.raises(VaultError, match="changed or moved"):
        vault.open(vault.seal("x", "row-1"), "row-2")


@pytest.mark.parametrize("part", ["wrapped_key", "sealed_value"])
def test_a_changed_row_does_not_open(tmp_path: Path, part: str) -> None:
    vault = Vault(tmp_path / "k")
    sealed = vault.seal("x", "row")
    data = bytearray(getattr(sealed, part))
    data[-1] ^= 1
    changed = Sealed(**{**{n: getattr(sealed, n) for n in Sealed.__slots__}, part: bytes(data)})
    with pytest.raises(VaultError):
        vault.open(changed, "row")


def test_rotation_while_another_process_runs(tmp_path: Path) -> None:
    running, command = Vault(tmp_path / "k"), Vault(tmp_path / "k")
    old = running.seal("x", "row")
    command.add_key()
    wrapped = command.wrap_again(old, "row")
    assert wrapped.key_id != old.key_id
    assert wrapped.sealed_value == old.sealed_value
    assert running.open(wrapped, "row") == "x", "the running server finds the new key when it meets it"
    assert command.drop_old_keys() == 1
    assert running.open(wrapped, "row") == "x"
    with pytest.raises(VaultError, match="not in"):
        Vault(tmp_path / "k").open(old, "row")


def test_without_the_right_key_file_nothing_opens(tmp_path: Path) -> None:
    sealed = Vault(tmp_path / "k").seal("x", "row")
    with pytest.raises(VaultError, match="not in"):
        Vault(tmp_path / "other").open(sealed, "row")
    (tmp_path / "k").write_text(json.dumps({"keys": 1}))
    with pytest.raises(VaultError, match="not a key file"):
        Vault(tmp_path / "k").open(sealed, "row")


def test_two_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    first, second = Vault(tmp_path / "k"), Vault(tmp_path / "k")
    sealed = first.seal("x", "row")
    assert second.open(sealed, "row") == "x"
    assert first.current == second.current


def test_what_is_sealed_after_a_rotation_has_a_key_in_the_file(tmp_path: Path) -> None:
    running, command = Vault(tmp_path / "k"), Vault(tmp_path / "k")
    running.seal("x", "row")
    with command.rotating():
        command.add_key()
        command.drop_old_keys()
    with running.sealing():
        late = running.seal("y", "row")
    assert Vault(tmp_path / "k").open(late, "row") == "y"


def test_a_rotation_waits_for_whoever_seals(tmp_path: Path) -> None:
    running, command = Vault(tmp_path / "k"), Vault(tmp_path / "k")
    rotated = threading.Event()

    def rotate() -> None:
        with command.rotating():
            rotated.set()

    with running.sealing():
        thread = threading.Thread(target=rotate)
        thread.start()
        assert not rotated.wait(0.2)
    thread.join()
    assert rotated.is_set()


def test_two_rotations_keep_each_others_keys(tmp_path: Path) -> None:
    one, other = Vault(tmp_path / "k"), Vault(tmp_path / "k")
    first = one.seal("x", "row")
    assert other.current
    with one.rotating():
        one.add_key()
        wrapped = one.wrap_again(first, "row")
    with other.rotating():
        other.add_key()
    assert Vault(tmp_path / "k").open(wrapped, "row") == "x"


def test_rows_read_before_a_rotation_still_open(tmp_path: Path) -> None:
    running, command = Vault(tmp_path / "k"), Vault(tmp_path / "k")
    before = running.seal("x", "row")
    with command.rotating():
        command.add_key()
        after = command.wrap_again(before, "row")
        command.drop_old_keys()
    assert running.open(after, "row") == "x"
    assert running.open(before, "row") == "x", "it was read just before the rotation"


@pytest.mark.parametrize(
    "text", ['{"current": "a", "keys": {"a": "AAAA"}}', '{"current": "b", "keys": {}}', "[]", "\udcff"]
)
def test_a_file_that_is_no_key_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "k").write_text(text, errors="surrogateescape")
    with pytest.raises(VaultError, match="not a key file"):
        Vault(tmp_path / "k").seal("x", "row")
