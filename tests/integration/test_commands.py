"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from graph_app.graphs import GRAPHS
from tests.support.server import ROOT, Server
from toolkit_app.tools import TOOLS

TOOL = "name: t\ndesc: x\nparams: [{name: id, type: string, required: true, description: x}]\n"
ECHO = "name: e\ndesc: x\nenv: [A]\nparams: [{name: q, type: string, required: true, description: x}]\nsteps: [{url: 'http://sandbox/echo?q=${param:q}&a=${env:A}', var: [{name: q, extract: query.q}, {name: a, extract: query.a}], result: '${step0:q}|${step0:a}'}]\n"  # noqa: E501


@pytest.fixture
def command(tmp_path: Path):
    env = Server(tmp_path / "data").env

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *args], cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )

    return run


def test_run_tool_from_a_file_needs_no_database(command, tmp_path: Path) -> None:
    path = tmp_path / "echo.yaml"
    path.write_text(ECHO)
    done = command("run_tool", str(path), "--param", "q=a=b", "--env", "A=x=y")
    assert (done.returncode, done.stdout) == (0, "a=b|x=y\n"), done.stderr


def test_errors_go_to_standard_error_without_a_traceback(command, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(TOOL + "steps: [{url: 'http://127.0.0.1:9/${param:id}'}]\n")
    for args in (
        [str(path)],
        [str(path), "--param", "id=1"],
        [str(path), "--param", "id=1", "--allow-private"],
        [str(path), "--param", "id"],
        [str(tmp_path / "none.yaml")],
        ["nothing"],
        [str(path), "--environment", "none"],
    ):
        done = command("run_tool", *args)
        assert done.returncode == 1, args
        assert done.stdout == "", args
        assert done.stderr.strip(), args
        assert "Traceback" not in done.stderr, args


def test_a_faulty_file_shows_every_problem_with_its_place(command, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("name: bad\nsteps:\n  - metod: GET\n")
    done = command("run_tool", str(path))
    assert done.returncode == 1
    assert f"{path}:3:5: steps[0].metod" in done.stderr


def test_check_tools(command, tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(ECHO)
    good = command("check_tools", str(tmp_path))
    assert good.returncode == 0, good.stderr
    (tmp_path / "bad.yaml").write_text("name: x\n")
    (tmp_path / "same.yml").write_text(ECHO)
    bad = command("check_tools", str(tmp_path))
    assert bad.returncode == 1
    assert "bad.yaml:1:1" in bad.stderr
    assert "same.yml" in bad.stderr
    assert command("check_tools", str(tmp_path / "none")).returncode == 1


def test_stored_tools_and_environments(command, tmp_path: Path) -> None:
    assert command("migrate", "--verbosity", "0").returncode == 0
    script = (
        "from toolkit_app.demo import load_demo; load_demo();"
        "from toolkit_app import environments as e, tools as t;"
        f"t.TOOLS.create(None, {ECHO!r});"
        "e.environment_create('x', 'prod', ''); e.secret_set('x', 'prod', 'A', 'secret-value', ['sandbox']);"
        "e.environment_create('x', 'other', ''); e.secret_set('x', 'other', 'A', 'secret-value', ['elsewhere.com'])"
    )
    assert command("shell", "-c", script).returncode == 0
    done = command("run_tool", "list_items", "--param", "page=3")
    assert (done.returncode, done.stdout) == (0, '["Umbrella"] of 7 items\n'), done.stderr
    hidden = command("run_tool", "e", "--param", "q=1", "--environment", "prod")
    assert (hidden.returncode, hidden.stdout) == (0, "1|••••••\n"), hidden.stderr
    refused = command("run_tool", "e", "--param", "q=1", "--environment", "other")
    assert refused.returncode == 1
    assert "elsewhere.com" in refused.stderr
    rotated = command("rotate_keys")
    assert "2 secrets" in rotated.stdout, rotated.stderr
    assert command("run_tool", "e", "--param", "q=1", "--environment", "prod").returncode == 0
    assert command("verify_audit").returncode == 0


def test_a_tool_from_a_pipe_and_an_output_that_nobody_reads(command, tmp_path: Path) -> None:
    path = tmp_path / "echo.yaml"
    path.write_text(ECHO)
    env = Server(tmp_path / "data").env
    shell = f"{sys.executable} manage.py run_tool {{}} --param q=1 --env A=2"
    for line in (f"cat {path} | {shell.format('/dev/stdin')}", shell.format(f"<(cat {path})")):
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "1|2\n"), done.stderr
    line = f"{shell.format(path)} | true"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_commands_before_the_first_start_say_so(command) -> None:
    for name in ("verify_audit", "rotate_keys"):
        done = command(name)
        assert done.returncode == 1
        assert "make run" in done.stderr
        assert "Traceback" not in done.stderr


NEEDY = "name: needy\ndesc: x\nenv: [BASE_URL, TOKEN]\nparams: []\nsteps: [{url: 'http://sandbox/echo?t=${env:TOKEN}', var: [{name: t, extract: query.t}], result: '${step0:t}'}]\n"  # noqa: E501
CALLER = "name: caller\nstate: [{name: t, type: str, update: overwrite}]\nentry: call\nnodes: {call: {call: Tool, settings: {tool: needy}, outputs: {t: text}}}\n"  # noqa: E501


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["run_tool", "run_graph"])
def test_what_an_environment_must_give_is_asked_for(name: str) -> None:
    TOOLS.create(None, NEEDY)
    GRAPHS.create(None, CALLER)
    what = "needy" if name == "run_tool" else "caller"
    with pytest.raises(CommandError) as refused:
        call_command(name, what, "--env", "TOKEN=x")
    message = str(refused.value)
    assert "lacks BASE_URL. Add --env BASE_URL=VALUE" in message
    assert "--environment NAME" in message
    out = io.StringIO()
    call_command(name, what, "--env", "TOKEN=x", "--env", "BASE_URL=", stdout=out)
    assert "x" in out.getvalue()


@pytest.mark.parametrize("name", ["run_tool", "run_graph"])
def test_a_file_goes_on_without_what_no_environment_gives(command, tmp_path: Path, name: str) -> None:
    (tmp_path / "needy.yaml").write_text(NEEDY)
    (tmp_path / "caller.yaml").write_text(CALLER)
    done = command(name, str(tmp_path / ("needy.yaml" if name == "run_tool" else "caller.yaml")))
    assert done.returncode == 0, done.stderr
    assert name == "run_graph" or "TOKEN" in done.stderr
