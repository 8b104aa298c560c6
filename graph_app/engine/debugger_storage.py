"""Where debug sessions are kept: one SQLite file, JSON only, written after each step.

The file is locked as long as this process has it open, so that a second process gets a clear error. All sessions of a
process share one connection to a file.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from graph_app.engine.errors import DatabaseLockedError, DebuggerError

_TABLES = """
CREATE TABLE IF NOT EXISTS steps (
    session TEXT NOT NULL, position INTEGER NOT NULL, uuid TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (session, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meta (
    session TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (session, key)
) WITHOUT ROWID;
"""

_open: dict[str, Storage] = {}

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def written(value: Any) -> str:
    """Return a value as JSON text.

    Raises:
        DebuggerError: It has no JSON form, or half a surrogate pair in it.
    """
    try:
        text = _encode(value)
        text.encode()
    except (TypeError, ValueError) as error:
        raise DebuggerError(f"this cannot be kept as JSON: {error}") from error
    return text


class Storage:
    """One file.

    Args:
        path: The file; ``:memory:`` for one that is gone with the process.

    Raises:
        DatabaseLockedError: Another process debugs on it.
        DebuggerError: It is no such file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.users = 0
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            # Exclusive: the lock is ours until we close. Not synchronous: a killed process loses nothing, and only
            # the machine itself could.
            for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=OFF"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("COMMIT")
            self._connection.executescript(_TABLES)
        except sqlite3.Error as error:
            self._connection.close()
            if "locked" in str(error):
                raise DatabaseLockedError(f"another process debugs on the file {path}") from error
            raise DebuggerError(f"the file {path} cannot be used: {error}") from error
        self._execute = self._connection.execute

    @classmethod
    def open(cls, path: str) -> Storage:
        """Return the storage of a file, opened at most once in this process."""
        key = path if path == ":memory:" else str(Path(path).absolute())
        storage = _open.get(key)
        if storage is None:
            Path(key).parent.mkdir(parents=True, exist_ok=True)
            storage = cls(key)
            if path != ":memory:":
                _open[key] = storage
        storage.users += 1
        return storage

    def release(self) -> None:
        """Close the file, and give up its lock, if nobody in this process uses it any more."""
        self.users -= 1
        if self.users <= 0:
            _open.pop(self.path, None)
            self._connection.close()

    def begin(self, session: str, meta: dict[str, Any]) -> None:
        """Forget what the session was, and what belonged to it, and note this about it."""
        with self._connection:
            self._execute("BEGIN")
            self.forget(session)
            for key, value in meta.items():
                self.note(session, key, value)

    def forget(self, session: str) -> None:
        """Remove a session, and the sessions of the graphs nested in it."""
        inner = session + "/"
        for table in ("steps", "meta"):
            self._execute(
                f"DELETE FROM {table} WHERE session = ? OR substr(session, 1, ?) = ?",  # noqa: S608 - a name of ours
                (session, len(inner), inner),
            )

    def note(self, session: str, key: str, value: Any) -> None:
        """Keep one value about a session."""
        self._execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (session, key, written(value)))

    def append(self, session: str, position: int, uuid: str, body: str) -> None:
        """Keep one step."""
        self._execute("INSERT INTO steps VALUES (?, ?, ?, ?)", (session, position, uuid, body))

    def rewrite(self, session: str, steps: list[tuple[int, str, str]]) -> None:
        """Keep these steps instead of those that were there."""
        with self._connection:
            self._execute("BEGIN")
            self._execute("DELETE FROM steps WHERE session = ?", (session,))
            self._connection.executemany("INSERT INTO steps VALUES (?, ?, ?, ?)", [(session, *step) for step in steps])

    def remove(self, session: str, positions: list[int]) -> None:
        """Remove some steps."""
        with self._connection:
            self._execute("BEGIN")
            self._connection.executemany(
                "DELETE FROM steps WHERE session = ? AND position = ?", [(session, position) for position in positions]
            )

    def load(self, session: str) -> tuple[dict[str, Any], list[tuple[int, str, dict[str, Any]]]]:
        """Return what was kept about a session, and its steps in order."""
        meta = {
            key: json.loads(value)
            for key, value in self._execute("SELECT key, value FROM meta WHERE session = ?", (session,))
        }
        rows = self._execute("SELECT position, uuid, body FROM steps WHERE session = ? ORDER BY position", (session,))
        return meta, [(position, uuid, json.loads(body)) for position, uuid, body in rows]
