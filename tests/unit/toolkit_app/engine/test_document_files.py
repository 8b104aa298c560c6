"""Files of documents: whatever the file is, the answer is a text or a sentence."""

import os
from pathlib import Path

import pytest

from toolkit_app.engine.files import MAX_BYTES, FileError, read_document


def test_text_with_and_without_a_mark(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfname: \xc3\xbc")
    assert read_document(tmp_path / "a") == "name: ü"


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "nowhere").symlink_to(tmp_path / "none")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "binary").write_bytes(b"\x7fELF\xff")
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "nowhere", "circle", "binary", "pipe", "none", "binary/below", "a\0b"):
        with pytest.raises(FileError, match=name.split("/")[0].split("\0")[0]):
            read_document(tmp_path / name)


@pytest.mark.parametrize("pipes", [True, False])
def test_what_has_no_end(pipes: bool) -> None:
    with pytest.raises(FileError, match="too large" if pipes else "no file"):
        read_document(Path("/dev/zero"), pipes=pipes)


def test_a_huge_file_is_not_held(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1000 * MAX_BYTES)
    with pytest.raises(FileError, match="too large"):
        read_document(tmp_path / "huge")


def test_a_pipe_on_the_command_line() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"name: piped")
    os.close(writing)
    assert read_document(Path(f"/dev/fd/{reading}"), pipes=True) == "name: piped"
    os.close(reading)
