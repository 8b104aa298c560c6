"""Reading a document from a file: whatever the file is, no more of it is held than a document may have."""

import stat
from pathlib import Path

MAX_BYTES = 8 * 1024 * 1024


class FileError(Exception):
    """A file that can't be read as the text of a document; the message names it."""


def read_document(path: Path, *, pipes: bool = False) -> str:
    """Read a file's text.

    Args:
        path: The file.
        pipes: Whether it may be a pipe or a terminal, as on a command line; one in a folder would be waited for.

    Raises:
        FileError: It is missing, no file, too large, or no UTF-8.
    """
    try:
        kind = path.stat().st_mode
        if not stat.S_ISREG(kind) and not (pipes and (stat.S_ISFIFO(kind) or stat.S_ISCHR(kind))):
            raise FileError(f"{path} is no file.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise FileError(f"{path} can't be read: {error.strerror}.") from error
    except ValueError as error:  # a NUL in the name
        raise FileError(f"{str(path)!r} can't be the name of a file.") from error
    if len(data) > MAX_BYTES:
        raise FileError(f"{path} is too large for a document: more than {MAX_BYTES:,} bytes.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not UTF-8 text (byte {error.start}).") from error
