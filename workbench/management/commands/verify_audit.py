"""`manage.py verify_audit`: checks that nobody changed the audit trail."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from workbench import audit
from workbench.models import AuditRecord


class Command(BaseCommand):
    """Checks the audit trail's chain and its head."""

    help = "Checks the audit trail: exit 0 when it is whole, 1 with what is wrong."

    def handle(self, **_: Any) -> None:
        try:
            problems = audit.verify()
        except DatabaseError as error:
            raise CommandError(f"The database can't be read ({error}). Start the server once: make run.") from error
        if problems:
            raise CommandError("\n".join(problems))
        self.stdout.write(f"The audit trail is whole: {AuditRecord.objects.count()} records.")
