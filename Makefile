# `make run` and `make test` are all that a newcomer needs; both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: api help run test soak install pages lint types imports unit integration services frontend-test browser bench clean

help: ## lists what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: install ## installs, builds the pages and serves Workbench
	@$(BIN)/python manage.py serve

test: install $(VENV)/.tests lint types imports unit integration services frontend-test browser ## sets up and runs everything

soak: install $(VENV)/.tests ## the long searches: many generated inputs, kills and drops
	WORKBENCH_SOAK=1 $(PYTEST) tests/unit tests/integration -q

install: $(VENV)/.run pages ## the virtual environment and the pages

pages: $(VENV)/.run
	@$(BIN)/python frontend/build.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "The virtual environment could not be made (see above). If Python's venv module is missing: apt-get install python3-venv"; exit 1; }

$(VENV)/.run: requirements.lock | $(BIN)/python
	@echo "Installing what Workbench needs ..."
	@$(PIP) install --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.tests: tests/requirements.lock | $(VENV)/.run
	@echo "Installing what the tests need ..."
	@$(PIP) install --require-hashes -r tests/requirements.lock
	@touch $@

lint: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tests
	$(BIN)/mypy

imports: $(VENV)/.tests
	$(BIN)/lint-imports

unit: $(VENV)/.tests
	$(PYTEST) tests/unit -q

integration: $(VENV)/.tests pages
	$(PYTEST) tests/integration -q

services: $(VENV)/.tests
	$(BIN)/python -m tests.support.services postgres redis -- $(PYTEST) tests/integration -q --ignore=tests/integration/test_server.py --ignore=tests/integration/test_commands.py --ignore=tests/integration/test_openapi.py

frontend-test: pages
	@$(BIN)/python frontend/build.py --run lint typecheck test

browser: $(VENV)/.tests pages
	$(PYTEST) tests/browser -q

bench: install $(VENV)/.tests ## prints the benchmarks' tables
	$(BIN)/python -m tests.benchmarks.tools
	$(BIN)/python -m tests.benchmarks.graph
	$(BIN)/python -m tests.benchmarks.calls
	$(BIN)/python -m tests.benchmarks.runs
	$(BIN)/python -m tests.benchmarks.canvas
	$(BIN)/python -m tests.benchmarks.watching

clean: ## removes what was built; data stays
	rm -rf $(VENV) frontend/node_modules frontend/.build workbench/pages

api: $(VENV)/.run ## writes the API's description and the pages' client from it
	$(BIN)/python manage.py spectacular --format openapi-json --file frontend/openapi.json
	@$(BIN)/python frontend/build.py --run api
