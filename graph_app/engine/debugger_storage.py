"""Where debug sessions are kept: one SQLite file, JSON only, written after each step.

The file is locked as long as this process has it open, so that a second process gets a clear error. All sessions of a
process share one connection to a file.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from graph_app.engine.errors import DatabaseLockedError, DebuggerError

_TABLES = """
CREATE TABLE IF NOT EXISTS sessions (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS steps (
    position INTEGER PRIMARY KEY, session INTEGER NOT NULL, uuid TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS meta (
    session INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (session, key)
) WITHOUT ROWID;
"""

_open: dict[str, Storage] = {}


def written(value: Any) -> str:
    """Return a value as JSON text.

    Raises:
        DebuggerError: It has no JSON form, or half a surrogate pair in it.
    """
    try:
        return to_json(value).decode()
    except (TypeError, ValueError) as error:
        raise DebuggerError(f"this cannot be kept as JSON: {error}") from error


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
            for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=OFF", "wal_autocheckpoint=4000"):
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
        self._insert = self._connection.cursor().execute

    @classmethod
    def open(cls, path: str) -> Storage:
        """Return the storage of a file, opened at most once in this process."""
        key = path if path == ":memory:" else str(Path(path).resolve())
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

    def session(self, name: str) -> int:
        """Return the number of a session, which is made if it is new."""
        self._execute("INSERT OR IGNORE INTO sessions (name) VALUES (?)", (name,))
        number: int = self._execute("SELECT id FROM sessions WHERE name = ?", (name,)).fetchone()[0]
        return number

    def forget(self, name: str, *, itself: bool = True) -> None:
        """Remove what is known about a session, and about the graphs nested in it.

        Args:
            name: The session's name; those of nested graphs begin with it and a slash.
            itself: Whether the session itself too.
        """
        inner = name + "/"
        with self._connection:
            self._execute("BEGIN")
            rows = self._execute(
                "SELECT id, name FROM sessions WHERE substr(name, 1, ?) IN (?, ?)", (len(inner), inner, name)
            )
            for number, found in rows.fetchall():
                if found != name or itself:
                    self._execute("DELETE FROM steps WHERE session = ?", (number,))
                    self._execute("DELETE FROM meta WHERE session = ?", (number,))

    def note(self, session: int, key: str, value: Any) -> None:
        """Keep one value about a session."""
        self._execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (session, key, written(value)))

    def append(self, session: int, uuid: str, body: str) -> int:
        """Keep one step, and return its position among all steps of the file."""
        return self._insert("INSERT INTO steps VALUES (NULL, ?, ?, ?)", (session, uuid, body)).lastrowid or 0

    def replace(self, rows: list[tuple[str, int]]) -> None:
        """Change steps: pairs of new body and position."""
        with self._connection:
            self._execute("BEGIN")
            self._connection.executemany("UPDATE steps SET body = ? WHERE position = ?", rows)

    def remove(self, positions: list[int]) -> None:
        """Remove some steps."""
        with self._connection:
            self._execute("BEGIN")
            self._connection.executemany("DELETE FROM steps WHERE position = ?", [(number,) for number in positions])

    def load(self, session: int) -> tuple[dict[str, Any], list[tuple[int, str, dict[str, Any]]]]:
        """Return what was kept about a session, and its steps in order."""
        meta = {
            key: json.loads(value)
            for key, value in self._execute("SELECT key, value FROM meta WHERE session = ?", (session,))
        }
        rows = self._execute("SELECT position, uuid, body FROM steps WHERE session = ? ORDER BY position", (session,))
        return meta, [(position, uuid, json.loads(body)) for position, uuid, body in rows]
