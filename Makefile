# Every verb makes the virtual environment it needs; nothing has to be installed by hand but Python >= 3.11, make and pip.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2
SECONDS ?= 60

.PHONY: demo test test-ci test-all test-lowest test-newest test-python test-ray test-train test-examples speed lint types layers
.PHONY: check bench bench-peers bench-check bench-prove golden docs build clean help fuzz fuzz-guided
.PHONY: kills soak pictures notebooks

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("skyline needs Python 3.11 or newer: make PYTHON=python3.12 ..") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)

$(VENV)/core: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/core

demo: $(VENV)/core  ## make the environment and play a bot tournament over all games
	$(BIN)/skyline demo

test: $(VENV)/dev  ## make the environment and run the tests
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not slow and not speed and not ci"

test-ci: $(VENV)/dev  ## tests of some seconds and more, and further options
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "ci and not slow and not speed"

speed: $(VENV)/dev  ## the tests that measure time, alone and on a quiet machine
	$(BIN)/python -m pytest -q -m "speed and not slow"

test-all: $(VENV)/dev  ## the same with the long comparisons
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not speed"
	$(BIN)/python -m pytest -q -m speed

$(VENV)-ray/ray: pyproject.toml
	$(PYTHON) -m venv $(VENV)-ray
	$(VENV)-ray/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,ray]'
	touch $@

test-ray: $(VENV)-ray/ray  ## the Ray engine on a local cluster, in an environment of its own
	$(VENV)-ray/bin/python -m pytest -q -m slow tests/agents/test_ray.py

$(VENV)-lowest/lowest: pyproject.toml requirements/lowest.txt
	$(PYTHON) -m venv $(VENV)-lowest
	$(VENV)-lowest/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -c requirements/lowest.txt
	touch $@

test-lowest: $(VENV)-lowest/lowest  ## the tests with the lowest versions that pyproject.toml admits (TESTS=..)
	$(VENV)-lowest/bin/python -m pytest -q -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not slow and not speed and not ci" $(TESTS)

test-newest:     ## the tests with the newest versions that pyproject.toml admits, installed anew (TESTS=..)
	rm -rf $(VENV)-newest
	$(PYTHON) -m venv $(VENV)-newest
	$(VENV)-newest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager -e '.[dev]'
	$(VENV)-newest/bin/python -m pytest -q -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not slow and not speed and not ci" $(TESTS)

test-python:     ## the tests on Python 3.13: Debian's next release unpacked in a folder of its own, as root (TESTS=..)
	tests/support/debian13.sh -q -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not slow and not speed and not ci" $(TESTS)

$(VENV)-train/train: pyproject.toml
	$(PYTHON) -m venv $(VENV)-train
	$(VENV)-train/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,examples]'
	touch $@

$(VENV)-rllib/rllib: pyproject.toml
	$(PYTHON) -m venv $(VENV)-rllib
	$(VENV)-rllib/bin/python -m pip install --quiet --disable-pip-version-check -e '.[rllib]' pytest hypothesis
	touch $@

test-examples: $(VENV)-train/train $(VENV)-rllib/rllib  ## every example of other libraries in its short form
	$(VENV)-train/bin/python -m pytest -q tests/docs/test_examples.py
	$(VENV)-rllib/bin/python -m pytest -q tests/docs/test_examples.py -k rllib

test-train: $(VENV)-train/train  ## PPO with torch and Stable-Baselines3, in an environment of its own; also that it learns
	$(VENV)-train/bin/python -m pytest -q tests/agents/test_ppo*.py tests/docs/test_docs.py -k "ppo"
	$(VENV)-train/bin/python -m pytest -q tests/skyline/test_packed.py -k "tensors"

lint: $(VENV)/dev  ## style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev  ## mypy --strict on everything that is not jitted
	$(BIN)/mypy
	for game in *_env; do if [ -f $$game/game.py ]; then $(BIN)/mypy $$game || exit 1; fi; done

layers: $(VENV)/dev  ## the import contracts of the architecture
	$(BIN)/python -m tests.support.import_contracts

check: lint types layers  ## everything that needs no game to be played

bench: $(VENV)/core  ## steps/s of all games
	$(BIN)/skyline bench

bench-peers: $(VENV)/core  ## others' environments for skyline bench --peers, each in its own venv
	$(BIN)/python -m skyline_bench.peers.install

bench-check: $(VENV)/core  ## is a core layer or the AEC slower than at the base commit (BASE=..)?
	$(BIN)/python -m skyline_bench.gate.check $(if $(BASE),--base $(BASE)) $(if $(SERVER),--server $(SERVER))

bench-prove: $(VENV)/core  ## show that bench-check is red for a slowed rule, green for a comment
	$(BIN)/python -m skyline_bench.gate.prove

fuzz: $(VENV)/dev  ## odd inputs for every reader (SECONDS=60, the time shared); findings go to fuzz-out/
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --jobs $(JOBS) $(if $(TARGET),--target $(TARGET))

$(VENV)/fuzz: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[fuzz]'
	touch $@

fuzz-guided: $(VENV)/fuzz  ## the same guided by coverage (atheris)
	$(BIN)/python -m tests.fuzz --engine atheris --seconds $(SECONDS) $(if $(TARGET),--target $(TARGET))

kills: $(VENV)-train/train  ## kill -9 tournaments and trainings at random times; resumed, they end as if they had not been
	$(VENV)-train/bin/python -m tests.endurance.kills

soak: $(VENV)/core  ## 10^8 decisions in batches of all games with checks; the memory stays flat
	$(BIN)/python -m tests.endurance.soak

golden: $(VENV)/dev  ## write the golden records anew (after a version bump or a new option)
	$(BIN)/python -m tests.support.golden_records --write

docs: $(VENV)/dev  ## write the tables of the environment pages anew
	$(BIN)/python -m skyline.cli.environment_pages

pictures: $(VENV)/dev  ## draw the pictures of the README anew, from games of fixed seeds
	$(BIN)/python -m skyline.cli.pictures docs/pictures

notebooks: $(VENV)-train/train  ## run the notebooks anew and store their outputs (on a quiet machine: half an hour)
	$(VENV)-train/bin/python -m tests.support.notebooks $(NOTEBOOKS)

build: $(VENV)/dev  ## wheel and sdist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build

clean:           ## remove the environment and everything built
	rm -rf $(VENV) $(VENV)-ray $(VENV)-train $(VENV)-rllib $(VENV)-lowest $(VENV)-newest dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
