"""The variables of the process are typed and fail at the start, all at once, with a hint."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from workbench.variables import VARIABLES, describe_variables, read_variables


def test_defaults() -> None:
    values = read_variables({})
    assert values["PORT"] == 8000
    assert values["DATABASE_URL"] is None
    assert values["WORKBENCH_DATA"].name == "data"


def test_typed() -> None:
    values = read_variables(
        {
            "PORT": "81",
            "WORKBENCH_DATA": "/tmp/x",
            "DATABASE_URL": "postgresql://u%40:p%2F@db:5433/name",
            "WORKBENCH_HTTPS": "yes",
            "WORKBENCH_ALLOWED_HOSTS": "a.example.com, b.example.com",
        }
    )
    assert values["PORT"] == 81
    assert values["WORKBENCH_DATA"] == Path("/tmp/x")
    assert values["WORKBENCH_HTTPS"] is True
    assert values["WORKBENCH_ALLOWED_HOSTS"] == ["a.example.com", "b.example.com"]
    database = values["DATABASE_URL"]
    assert (database["USER"], database["PASSWORD"], database["PORT"]) == ("u@", "p/", "5433")


def test_all_problems_at_once_each_with_its_name() -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        read_variables({"PORT": "http", "DATABASE_URL": "mysql://x", "WORKBENCH_HTTPS": "maybe", "REDIS_URL": "x"})
    text = str(refused.value)
    for name in ("PORT", "DATABASE_URL", "WORKBENCH_HTTPS", "REDIS_URL"):
        assert name in text


def test_described_and_in_the_readme() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    for variable in VARIABLES:
        assert variable.name in describe_variables()
        assert f"`{variable.name}`" in readme
