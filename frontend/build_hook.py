"""Lets a wheel of Workbench carry the built pages."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the pages before a wheel is packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds, unless an editable install asks, which serves from the checkout.

        Args:
            version: Kind of wheel, ``standard`` or ``editable``.
            build_data: What hatchling packs.
        """
        del build_data
        if version == "editable":
            return
        path = Path(self.root) / "frontend" / "build.py"
        spec = importlib.util.spec_from_file_location("workbench_pages_build", path)
        if spec is None or spec.loader is None:
            raise ImportError(str(path))
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        module.build()
