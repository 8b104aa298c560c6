"""The project's own app: accounts, audit, pages."""

from typing import Any

from django.apps import AppConfig


class WorkbenchConfig(AppConfig):
    """Accounts, roles, the audit trail and the pages."""

    name = "workbench"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Keeps what services say that somebody did."""
        import workbench.checks  # noqa: F401 - registers the checks
        from toolkit_app.audit import audited

        audited.connect(_keep, dispatch_uid="workbench.audit")


def _keep(*, actor: str, action: str, target: str, detail: dict[str, Any], **_: Any) -> None:
    from workbench import audit

    audit.record(actor, action, target, detail)
