"""Words for permissions that views name in `needs`. Which role has which is the project's matter."""

PUBLIC = "public"
"""The permission of routes that need no account."""
