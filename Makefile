SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Hundreds of processes start here: what Python has compiled is kept, whatever the environment wishes.
export PYTHONDONTWRITEBYTECODE :=
SHARED ?= ../shared/data
FUZZ_SECONDS ?= 30
TARGETS ?=

.PHONY: help
help: ## Show what each target does
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.PHONY: setup
setup: $(STAMP) ## Make the environment from the lock file

.PHONY: run
run: $(STAMP) ## Start the service with a demo organization, send it one real request, go on serving
	@$(BIN)/quotewright demo

.PHONY: demo
demo: $(STAMP) ## The same, then stop
	@$(BIN)/quotewright demo --exit

.PHONY: test
test: $(STAMP) ## Run the tests
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

.PHONY: faults
faults: $(STAMP) ## Break everything that can break under load; TEST_EFFORT=10 for every round (docs/faults.md)
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --timeout 600 -m 'long or not long' tests/faults

.PHONY: check
check: checkgenerate lint types test ## All that CI runs

.PHONY: generate
generate: $(STAMP) ## Generate code and artefacts from the protos
	$(BIN)/python -m tools.contract.generate

.PHONY: checkgenerate
checkgenerate: generate ## Generate, then the tree must be clean
	@test -z "$$(git status --porcelain generated)" || { git status --short generated; echo 'generated/ is stale: commit what make generate wrote'; exit 1; }

.PHONY: clients
clients: $(STAMP) ## Generate the clients of docs/clients.md into tests/clients/generated and check their types
	$(BIN)/python -m tools.contract.clients

.PHONY: data
data: $(STAMP) ## Build the embedded data, word lists and docs/price-comparison.md from the folder $(SHARED)
	$(BIN)/python -m tools.catalogue.build --shared $(SHARED)
	$(BIN)/python -m tools.proofreading.build --shared $(SHARED)

.PHONY: eval
eval: $(STAMP) ## Measure how good the engines are, into docs/quality.md with its history
	$(BIN)/python -m tools.evaluation
	$(BIN)/python -m tools.evaluation.drafting --record
	$(BIN)/python -m tools.evaluation.text_assist --record
	$(BIN)/python -m tools.evaluation.intake
	$(BIN)/python -m tools.evaluation.proofreading --shared $(SHARED)

.PHONY: lint
lint: $(STAMP) ## Check style, protos, wire compatibility and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf format --diff --exit-code
	$(BIN)/python -m tools.contract.breaking
	$(BIN)/lint-imports

.PHONY: format
format: $(STAMP) ## Format the code and the protos
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/buf format --write

.PHONY: types
types: $(STAMP) ## Check the types
	$(BIN)/mypy

.PHONY: bench
bench: $(STAMP) ## Compare with the peers side by side and print the ratios
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-bench.lock
	$(BIN)/python -m benchmarks

.PHONY: fuzz
fuzz: $(STAMP) ## Search what strangers send for FUZZ_SECONDS a target with atheris (TARGETS: some only)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-security.lock
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS) $(TARGETS)

.PHONY: audit
audit: $(STAMP) ## Ask for known vulnerabilities of all that is locked; fails where nobody can be asked
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-security.lock
	$(BIN)/python -m pip_audit --strict --disable-pip --require-hashes --requirement requirements.lock

.PHONY: lock
lock: $(STAMP) ## Resolve the dependencies anew into the lock files
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --generate-hashes --no-header --no-emit-index-url --no-annotate pyproject.toml --output-file requirements.lock
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --extra bench --constraint requirements.lock --generate-hashes --no-header --no-emit-index-url --no-annotate pyproject.toml --output-file requirements-bench.lock
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --extra security --constraint requirements.lock --generate-hashes --no-header --no-emit-index-url --no-annotate pyproject.toml --output-file requirements-security.lock
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra teach --constraint requirements.lock --generate-hashes --no-header --no-emit-index-url --no-annotate pyproject.toml --output-file requirements-teach.lock
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra otel --extra postgresql --constraint requirements.lock --generate-hashes --no-header --no-emit-index-url --no-annotate pyproject.toml --output-file deploy/requirements.lock

.PHONY: clean
clean: ## Remove the environment and the local data
	rm -rf $(VENV) var build.binpb tests/clients/generated tests/clients/node_modules
