# `make lab` opens the notebooks, `make test` runs every check. Both install what they need
# into .venv first, and do nothing there when it is up to date.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8888
WORKERS ?= 2

VENV := .venv
BIN := $(VENV)/bin
PARALLEL := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile
READY := $(VENV)/ready
FIRST := notebooks/00_start_here.ipynb

# Jupyter refuses to run as root unless it is told that this is meant, as in a container.
ROOT_FLAG := $(shell [ "$$(id -u)" = 0 ] && echo --allow-root)
BROWSER_FLAG := $(if $(filter none,$(BROWSER)),--no-browser)

# The environment's own kernel and settings come before any the user has elsewhere.
export JUPYTER_PREFER_ENV_PATH := 1

.DEFAULT_GOAL := help
.PHONY: help install lab test lint notebooks readme lock bench clean

help:
	@echo "make lab        open the notebooks (PORT=8888, BROWSER=none, HOST=127.0.0.1)"
	@echo "make test       lint, types, tests and notebooks"
	@echo "make install    create .venv and install what the others need"
	@echo "make notebooks  execute every notebook and store it in normal form"
	@echo "make readme     renew the README's table and picture from the notebooks"
	@echo "make lint       format and lint checks, static types"
	@echo "make bench      measure redraws and simulation speed"
	@echo "make lock       compile requirements.txt anew from pyproject.toml"
	@echo "make clean      remove .venv and every cache"

install: $(READY)

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.13 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
	  echo "this Python lacks venv; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	$(BIN)/python -c 'import matplotlib.font_manager'
	@touch $(READY)

lab: $(READY)
	$(BIN)/python -m jupyterlab $(ROOT_FLAG) $(BROWSER_FLAG) --ip=$(HOST) --port=$(PORT) \
	  --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/$(FIRST)

# Three runs: coverage must not enter the notebooks' kernels, whose outputs are compared,
# and the browser's reaction is timed, which needs the machine for itself.
test: lint
	$(PARALLEL) tests -m "not browser" --cov --cov-report=term --cov-fail-under=100
	$(PARALLEL) --nbval notebooks
	$(BIN)/python -m pytest -m browser tests/browser

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

notebooks: $(READY)
	$(BIN)/python -m tests.tools.execute_notebooks

readme: $(READY)
	$(BIN)/python -m tests.tools.readme_table
	$(BIN)/python -m tests.tools.readme_picture

bench: $(READY)
	$(BIN)/python -m tests.benchmarks

lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra lab --extra test \
	  --no-header --no-annotate --no-emit-index-url --output-file requirements.txt pyproject.toml

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find ratelimit tests notebooks -type d \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +
