#!/usr/bin/env python
"""Runs Workbench's commands: `python manage.py serve`, `run_tool`, `check_tools` and Django's own."""

import os
import sys


def main() -> None:
    """Hands the command line to Django with the project's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except BrokenPipeError:  # whoever read the output has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except ImproperlyConfigured as error:
        sys.exit(f"Workbench can't start.\n{error}")


if __name__ == "__main__":
    main()
