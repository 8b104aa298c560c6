"""Whether an expression is well formed, found out without the compiler.

What the compiler costs is small for a well-formed source; recovering from errors in others is what takes it long. So
only sources that pass here are compiled in this process.
"""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"""
    (?P<space>\s+)
    |(?P<operand>[rR]?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?\b)
    |(?P<word>[A-Za-z_]\w*)|(?P<binary>&&|\|\||[=!<>]=|[+*/%<>])|(?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_MOST_SOURCE = 1_000
_MOST_DEPTH = 32
_OPENS = {")": "(", "]": "[", "}": "{"}


def well_formed(source: str) -> bool:
    """Tell whether operands and operators alternate, and brackets match, in a source of moderate size.

    Args:
        source: The expression.
    """
    if len(source) > _MOST_SOURCE:
        return False
    stack: list[str] = []
    operand = False
    last = ""
    for m in _PIECE.finditer(source):
        kind = m.lastgroup
        text = m.group()
        if kind == "space":
            continue
        if operand:
            if kind == "binary" or text in ("-", "in"):
                operand = False
            elif text == ".":
                operand = False
                last = "."
                continue
            elif text == "?":
                stack.append("?")
                operand = False
            elif text == ":":
                if not stack or stack[-1] not in "?{":
                    return False
                if stack[-1] == "?":
                    stack.pop()
                operand = False
            elif text == ",":
                if not stack or stack[-1] == "?":
                    return False
                operand = False
            elif text in ("(", "["):
                if text == "(" and last != "word":
                    return False
                stack.append(text)
                operand = False
            elif text in _OPENS:
                if not stack or stack.pop() != _OPENS[text]:
                    return False
            else:
                return False
        elif last == ".":
            if kind != "word":
                return False
            operand = True
        elif kind == "operand" or (kind == "word" and text != "in"):
            operand = True
        elif text in ("(", "[", "{"):
            stack.append(text)
        elif text in _OPENS and last == _OPENS[text]:
            stack.pop()
            operand = True
        elif text not in ("-", "!"):
            return False
        if len(stack) > _MOST_DEPTH:
            return False
        last = "word" if kind == "word" else text
    return operand and not stack
