"""What the engine offers, and that it knows no Django."""

import subprocess
import sys

import toolkit_app.engine as engine


def test_everything_that_is_offered_exists():
    assert engine.__all__ == sorted(engine.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name))
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_errors_have_one_root_and_known_kinds():
    kinds = {kind.kind for kind in engine.RunError.__subclasses__()}
    assert kinds == {
        "params", "request", "egress", "header", "too_large", "extract", "path_syntax", "regex_syntax",
        "not_structured", "config",
        "step_limit",
    }  # fmt: skip
    assert issubclass(engine.RunError, engine.ToolError)
    assert issubclass(engine.ToolSyntaxError, engine.ToolError)


def test_imports_where_django_cannot_be_imported():
    code = (
        "import sys\n"
        "for name in ('django', 'rest_framework', 'channels'): sys.modules[name] = None\n"
        "from toolkit_app.engine import load_tool, ToolRunner\n"
        "print(load_tool('name: t\\ndesc: d\\nsteps: [{url: \"http://x/\"}]').name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "t\n"
