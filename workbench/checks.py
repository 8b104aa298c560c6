"""System checks: what would go wrong later is said at the start, with a hint."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, register

from toolkit_app.audit import audited
from toolkit_app.vault import Vault, VaultError


@register()
def key_files_are_private(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """Keys that others can read are no keys."""
    found: list[CheckMessage] = []
    for path in (Path(settings.KEY_FILE), Path(settings.DATA) / "django.key", Path(settings.DATA) / "audit.key"):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            found.append(checks.Error(f"{path} can be read by others.", hint=f"chmod 600 {path}", id="workbench.E001"))
    return found


@register()
def secrets_can_be_opened(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """A key file that is broken is said before the first run that needs it."""
    if not Path(settings.KEY_FILE).exists():
        return []
    try:
        Vault(Path(settings.KEY_FILE)).current  # noqa: B018 - reads the file
    except (VaultError, OSError) as error:
        hint = "Put the right file back from its backup; without it the secrets can't be read."
        return [checks.Error(str(error), hint=hint, id="workbench.E003")]
    return []


@register()
def audit_is_kept(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """Without a receiver the audit trail would be silent."""
    if audited.has_listeners():
        return []
    return [
        checks.Error("Nobody keeps the audit trail.", hint="workbench must be in INSTALLED_APPS", id="workbench.E002")
    ]


@register()
def pages_are_built(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """A server without pages answers its API only."""
    if (Path(settings.PAGES) / "index.html").exists():
        return []
    return [
        checks.Warning(
            "The pages are not built.", hint="make install, or python frontend/build.py", id="workbench.W001"
        )
    ]
