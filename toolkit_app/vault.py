"""Envelope encryption of secrets.

Each value is sealed with a data key of its own (AES-256-GCM), each data key is wrapped with a key of the key file. The
row's identity is bound to both as associated data, so that a value moved into another row does not open. Rotation makes
a new file key and wraps the data keys anew; values are not touched.

Source: security.md, "Secrets at rest"; NIST SP 800-38D for GCM (96-bit random nonces, one data key a value).
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from toolkit_app.locks import one_at_a_time

_NONCE_BYTES = 12
_KEY_BYTES = 32


class VaultError(Exception):
    """A secret that can't be opened: its key is missing, or the row was changed or moved."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret as it is stored."""

    key_id: str
    wrapped_key: bytes
    sealed_value: bytes


class Vault:
    """Seals and opens secrets with the keys of one file; the file is made at the first use."""

    def __init__(self, key_file: Path) -> None:
        """Reads nothing yet.

        Args:
            key_file: JSON file `{"current": id, "keys": {id: base64 of 32 bytes}}`, mode 0600.
        """
        self._key_file = key_file
        self._lock = threading.Lock()
        self._keys: dict[str, bytes] = {}
        self._in_file: set[str] = set()
        self._current = ""

    @contextmanager
    def sealing(self) -> Iterator[None]:
        """Holds off rotations until what was sealed is committed: sealed with a removed key it would be lost."""
        with self._locked(shared=True):
            self._load(again=True)
            yield

    @contextmanager
    def rotating(self) -> Iterator[None]:
        """Waits for whoever seals, and for other rotations, and holds them off."""
        with self._locked(shared=False):
            self._load(again=True)
            yield

    def _locked(self, *, shared: bool) -> AbstractContextManager[None]:
        return one_at_a_time(self._key_file.with_name(f".{self._key_file.name}.lock"), shared=shared)

    @property
    def current(self) -> str:
        """Id of the key that new values are sealed with."""
        self._load()
        return self._current

    def seal(self, value: str, identity: str) -> Sealed:
        """Encrypts a value for one row, inside `sealing`.

        Args:
            value: The secret.
            identity: What names the row and nothing else: its primary key and name.
        """
        self._load()
        data_key = AESGCM.generate_key(bit_length=256)
        sealed = _encrypt(data_key, value.encode("utf-8"), identity)
        return Sealed(self._current, _encrypt(self._keys[self._current], data_key, identity), sealed)

    def open(self, sealed: Sealed, identity: str) -> str:
        """Decrypts a value.

        Raises:
            VaultError: If the key is not in the key file, or the row was changed or is another's.
        """
        data_key = self._unwrap(sealed, identity)
        return _decrypt(data_key, sealed.sealed_value, identity).decode("utf-8")

    def wrap_again(self, sealed: Sealed, identity: str) -> Sealed:
        """Returns the same value with its data key wrapped by the current key."""
        data_key = self._unwrap(sealed, identity)
        return Sealed(self._current, _encrypt(self._keys[self._current], data_key, identity), sealed.sealed_value)

    def add_key(self) -> str:
        """Makes a new key and makes it current, inside `rotating`; the older ones stay, so that servers go on.

        Returns:
            The new key's id.
        """
        self._load(again=True)
        with self._lock:
            key_id = secrets.token_hex(6)
            self._keys[key_id] = os.urandom(_KEY_BYTES)
            self._in_file.add(key_id)
            self._current = key_id
            self._write()
        return key_id

    def drop_old_keys(self) -> int:
        """Removes every key but the current one from the file, inside `rotating`.

        Returns:
            How many were removed.
        """
        with self._lock:
            dropped = len(self._in_file) - 1
            self._in_file = {self._current}
            self._write()
        return dropped

    def _unwrap(self, sealed: Sealed, identity: str) -> bytes:
        self._load()
        if sealed.key_id not in self._keys:
            self._load(again=True)  # another process may have rotated
        key = self._keys.get(sealed.key_id)
        if key is None:
            raise VaultError(
                f"The key {sealed.key_id} that this secret was encrypted with is not in {self._key_file}. "
                "Put the key file back, or set the secret again."
            )
        return _decrypt(key, sealed.wrapped_key, identity)

    def _load(self, *, again: bool = False) -> None:
        with self._lock:
            if self._keys and not again:
                return
            if not self._key_file.exists():
                self._create()
            try:
                data = json.loads(self._key_file.read_text(encoding="utf-8"))
                keys = {key_id: base64.b64decode(text) for key_id, text in data["keys"].items()}
                if any(len(key) != _KEY_BYTES for key in keys.values()) or data["current"] not in keys:
                    raise ValueError("no key")
                # Keys that a rotation removed meanwhile still open rows that were read before it.
                self._keys = {**self._keys, **keys}
                self._in_file = set(keys)
                self._current = data["current"]
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise VaultError(f"{self._key_file} is not a key file. Put the right one back.") from error

    def _create(self) -> None:
        self._key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        key_id = secrets.token_hex(6)
        scratch = self._key_file.with_name(f".{self._key_file.name}.{secrets.token_hex(6)}")
        _write_keys(scratch, key_id, {key_id: os.urandom(_KEY_BYTES)})
        try:
            os.link(scratch, self._key_file)  # the first of two processes wins
        except FileExistsError:
            pass
        finally:
            scratch.unlink()

    def _write(self) -> None:
        scratch = self._key_file.with_name(f".{self._key_file.name}.{secrets.token_hex(6)}")
        _write_keys(scratch, self._current, {key_id: self._keys[key_id] for key_id in self._in_file})
        scratch.replace(self._key_file)


def _write_keys(path: Path, current: str, keys: dict[str, bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"current": current, "keys": {k: base64.b64encode(v).decode() for k, v in keys.items()}}, file)
        file.flush()
        os.fsync(file.fileno())


def _encrypt(key: bytes, value: bytes, identity: str) -> bytes:
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, value, identity.encode("utf-8"))


def _decrypt(key: bytes, sealed: bytes, identity: str) -> bytes:
    data = bytes(sealed)
    try:
        return AESGCM(key).decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], identity.encode("utf-8"))
    except (InvalidTag, ValueError) as error:
        raise VaultError(
            "A secret doesn't open: its row was changed or moved, or the key file is another one. Set the secret again."
        ) from error
