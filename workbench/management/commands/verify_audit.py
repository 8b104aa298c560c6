"""`manage.py verify_audit`: checks that nobody changed the audit trail."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workbench import audit
from workbench.models import AuditRecord


class Command(BaseCommand):
    """Checks the audit trail's chain and its head."""

    help = "Checks the audit trail: exit 0 when it is whole, 1 with what is wrong."

    def handle(self, **_: Any) -> None:
        problems = audit.verify()
        if problems:
            raise CommandError("\n".join(problems))
        self.stdout.write(f"The audit trail is whole: {AuditRecord.objects.count()} records.")
