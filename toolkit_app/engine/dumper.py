"""Writes a tool as YAML that loads to the same tool."""

import re
from typing import Any

import yaml

from .definition import ToolDefinition
from .scalars import plain_scalar

_QUOTED = re.compile("[\r\x85\u2028\u2029\ufeff]")


class _Dumper(yaml.SafeDumper):
    """Block style, quotes wherever a word would otherwise be read as something else, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _string(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None
    if _QUOTED.search(text):
        style = '"'
    elif "\n" in text:
        style = "|"
    elif not isinstance(plain_scalar(text), str):
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _string)


def dump_tool(tool: ToolDefinition) -> str:
    """Write a tool as YAML text; `load_tool(dump_tool(tool)) == tool`."""
    data = tool.model_dump(exclude_unset=True)
    return str(yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6))
