"""The engines are libraries: they can be imported where Django can't."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.server import ROOT

_BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "rest_framework", "channels"}:
            raise ImportError(f"{name} can't be imported here")
sys.meta_path.insert(0, Blocked())
import importlib
importlib.import_module(sys.argv[1])
assert not any(name.split(".")[0] == "django" for name in sys.modules)
print("alone")
"""


@pytest.mark.parametrize(
    "engine", ["toolkit_app.engine", "toolkit_app.importers", "graph_app.engine", "graph_app.calls"]
)
def test_imported_without_django(engine: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BLOCKED, engine], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "alone", done.stderr
