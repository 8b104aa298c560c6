"""Keys and the data folder: what can't be used is said in a sentence, at the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from workbench.keys import django_key, make_folder


def test_a_folder_is_made_once(tmp_path: Path) -> None:
    for _ in range(2):
        make_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    assert (tmp_path / "a" / "b").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_file_in_its_place(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="WORKBENCH_DATA"):
        make_folder(tmp_path / place)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workbench.keys.write_private", full)
    with pytest.raises(ImproperlyConfigured, match="No space left"):
        make_folder(tmp_path / "data")


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 80])
def test_a_key_that_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "django.key").write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match="The key"):
        django_key(tmp_path / "django.key")


def test_a_key_stays(tmp_path: Path) -> None:
    assert django_key(tmp_path / "django.key") == django_key(tmp_path / "django.key")
