# The two commands on a fresh machine are `make demo` and `make test`; both set everything up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST_OPTIONS := -n auto --dist worksteal --durations=10
# What make test-quick runs: every package, without its long random tests and without a browser.
QUICK := $(addprefix tests/,corpus matching language transfer results cli \
  metrics/test_worked_examples.py metrics/test_registry.py \
  formats/test_samples.py formats/test_json.py formats/test_conll_reading.py \
  error_analysis/test_analysis.py named_entities/test_nec_cases.py extensions/test_corefud.py \
  test_scoring.py test_architecture.py test_start_up.py)

.PHONY: help setup demo test test-quick explore test-adapters coverage check generated types format bench same-results fuzz simulate docs screenshots clean

help:
	@echo "make demo    score the example corpus and write its report"
	@echo "make test    run the whole test suite (about 8 minutes on 2 cores) and list the slowest tests"
	@echo "make test-quick   run the tests that take a minute, while you edit"
	@echo "make explore   run the random tests with new examples; TESTS=tests/metrics for a part"
	@echo "make test-adapters   test the adapters with torchmetrics, evaluate and spaCy in an environment of their own"
	@echo "make coverage   run it with coverage measured; print the total and the modules below 90 %"
	@echo "make check   lint, format and types"
	@echo "make generated   write again what is generated: parts of the docs, types of the script"
	@echo "make bench   speed and memory, each against a baseline in the same run"
	@echo "make accept    store what the stored cases do now (tests/stored); git diff shows the change"
	@echo "make same-results BASE=COMMIT   compare what two versions print, write and return"
	@echo "make fuzz    run the fuzzer; MINUTES=60 JOBS=2 SEED=1 (default: 5 minutes, one process)"
	@echo "make simulate   sizes of tests and coverage of intervals, on simulated corpora (half an hour)"
	@echo "make docs    build the documentation into docs/_build/html"
	@echo "make screenshots   take the pictures of the report for the pages"
	@echo "make setup   make $(VENV), which all other targets do first"
	@echo "make clean   remove everything that was built"

setup: $(VENV)/installed

# What the product needs at run time, and nothing else.
$(VENV)/product: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "corefscope needs Python 3.11 or newer; set PYTHON=... to name one"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || $(MAKE) --no-print-directory venv-from-debian
	$(PIP) install --constraint constraints.txt --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

# The tools of developers, in the same environment.
$(VENV)/installed: $(VENV)/product
	$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $@

# Debian's python3 comes without venv.
.PHONY: venv-from-debian
venv-from-debian:
	rm -rf $(VENV)
	apt-get update -qq && apt-get install -qq -y python3-venv
	$(PYTHON) -m venv $(VENV)

demo: $(VENV)/product
	$(BIN)/corefscope demo
	@echo "(corefscope is $(BIN)/corefscope here; . $(BIN)/activate puts it on the path)"

# Hundreds of processes are started, so everything is compiled once. Each process takes its tests from
# a half of its own, which makes costly fixtures once, and at the end from what the other has left.
test: setup browser
	@$(BIN)/python -m compileall -q src
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest $(PYTEST_OPTIONS)

test-quick: setup
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal $(QUICK) \
	  --ignore tests/matching/test_tables.py --ignore tests/matching/test_table_parts.py

# The suite draws the same examples every time; this draws new ones.
explore: setup
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile=explore $(TESTS)

# The adapters need packages that are large, or that most users do not have: torch, evaluate. Torch
# without CUDA is much smaller; PyPI does not have it for Linux, but other package indexes do.
ADAPTERS := .venv-adapters
TORCH := torch==2.13.0+cpu
$(ADAPTERS)/installed: pyproject.toml constraints.txt
	@test -x $(ADAPTERS)/bin/python || $(PYTHON) -m venv $(ADAPTERS)
	@$(ADAPTERS)/bin/python -m pip --disable-pip-version-check --quiet install '$(TORCH)' \
	  2> /dev/null || echo "the package index has no $(TORCH); torch with CUDA is installed instead"
	$(ADAPTERS)/bin/python -m pip --disable-pip-version-check --quiet install \
	  --constraint constraints.txt --editable '.[torchmetrics,evaluate,spacy]' pytest hypothesis
	@touch $@

test-adapters: $(ADAPTERS)/installed
	ALL_ADAPTERS=1 $(ADAPTERS)/bin/python -m pytest -p no:cacheprovider tests/adapters

# Takes about twice as long as make test. make coverage TESTS=tests/metrics measures a part.
coverage: setup browser
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest $(PYTEST_OPTIONS) $(TESTS)
	$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report --sort=cover | awk '$$NF + 0 < 90 || /^TOTAL/'

# The report is tested in a real browser; where there is none and we may, Debian's is installed,
# without its windows if Debian has it so: that makes the tests faster.
.PHONY: browser
browser:
	@for name in "$$CHROMIUM" chromium-headless-shell chromium chromium-browser google-chrome; do \
	  test -n "$$name" && command -v "$$name" > /dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  echo "installing chromium, to test the report in"; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  install="apt-get install -qq -y --no-install-recommends"; \
	  apt-get update -qq && { $$install chromium-headless-shell > /dev/null 2>&1 || \
	  $$install chromium > /dev/null; }; \
	fi || echo "chromium could not be installed"

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python -m corefscope.typescript | diff -u $(TYPES) - || \
	  { echo "$(TYPES) is out of date; run make types"; exit 1; }
	@.ci/script-types $(VENV)

# The script of the report refers to types that are made from the records of its data.
TYPES := src/corefscope/report/static/types.d.ts
types: setup
	$(BIN)/python -m corefscope.typescript > $(TYPES)

generated: types
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_formats.py
	$(BIN)/python docs/make_examples.py

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# make bench PEERS=DIR also runs the tools whose code is there; see benchmarks/README.md.
bench: setup
	$(BIN)/python benchmarks/bench.py $(if $(PEERS),--peers $(PEERS)) $(BENCH)

# Runs over 1,900 commands and calls with both versions; CASES names some of them by an expression.
same-results: setup
	PYTHONPATH=benchmarks $(BIN)/python -m same_results --base $(or $(BASE),HEAD) \
	  $(if $(CASES),--only '$(CASES)') $(if $(EXPECTED),--expected '$(EXPECTED)')

# Writes what the stored cases do now; CASES names some (a new one in full), MOST=600 chooses anew.
.PHONY: accept
accept: setup
	PYTHONPATH=benchmarks $(BIN)/python -m same_results.stored \
	  $(if $(CASES),--only '$(CASES)') $(if $(MOST),--most $(MOST))

# Failing inputs go to fuzz-findings/; SEED draws the inputs of an earlier run again.
fuzz: setup
	$(BIN)/python -m fuzzing.run --minutes $(or $(MINUTES),5) --jobs $(or $(JOBS),1) \
	  $(if $(SEED),--seed $(SEED))

# make simulate SIMULATE=--quick draws 20 corpora per cell and only prints the tables.
simulate: setup
	PYTHONPATH=tests OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/simulate.py $(SIMULATE)

docs: setup
	$(PIP) install --constraint constraints.txt --editable '.[docs]'
	$(BIN)/python -m sphinx -W -q docs docs/_build/html
	@echo "open docs/_build/html/index.html"

screenshots: setup browser
	$(BIN)/python docs/make_screenshots.py

clean:
	rm -rf $(VENV) .venv-adapters .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* dist build docs/_build \
	  benchmarks/data corefscope-demo fuzz-findings .fuzz-cache .same-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
