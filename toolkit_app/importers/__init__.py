"""Tools out of what people have already: other programs' ways of writing a request. They know no Django."""

from .credentials import Need
from .curl import CurlError, CurlImport, read_curl, tool_of

__all__ = ["CurlError", "CurlImport", "Need", "read_curl", "tool_of"]
