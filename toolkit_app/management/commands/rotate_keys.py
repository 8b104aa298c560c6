"""`manage.py rotate_keys`: a new key for the secrets, while servers run."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from toolkit_app.rotation import rotate_keys
from toolkit_app.vault import VaultError


class Command(BaseCommand):
    """Makes a new key and wraps every secret with it."""

    help = "Makes a new key for the secrets and removes the older ones; servers may go on meanwhile."

    def handle(self, **_: Any) -> None:
        try:
            wrapped, removed = rotate_keys()
        except VaultError as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"The database can't be read ({error}). Start the server once: make run.") from error
        self.stdout.write(f"{wrapped} secrets are encrypted with a new key; {removed} older keys were removed.")
