# Every verb makes the virtual environment it needs; nothing has to be installed by hand but Python >= 3.11, make and pip.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: kills soak demo test test-all test-ray test-train test-examples speed lint types layers check bench bench-peers
.PHONY: bench-check bench-prove golden docs build clean help

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
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not slow and not speed"

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
	$(VENV)-ray/bin/python -m pytest -q -m slow tests/test_ray.py

$(VENV)-train/train: pyproject.toml
	$(PYTHON) -m venv $(VENV)-train
	$(VENV)-train/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,examples]'
	touch $@

$(VENV)-rllib/rllib: pyproject.toml
	$(PYTHON) -m venv $(VENV)-rllib
	$(VENV)-rllib/bin/python -m pip install --quiet --disable-pip-version-check -e '.[rllib]' pytest hypothesis
	touch $@

test-examples: $(VENV)-train/train $(VENV)-rllib/rllib  ## every example of other libraries in its short form
	$(VENV)-train/bin/python -m pytest -q tests/test_examples.py
	$(VENV)-rllib/bin/python -m pytest -q tests/test_examples.py -k rllib

test-train: $(VENV)-train/train  ## PPO with torch and Stable-Baselines3, in an environment of its own; also that it learns
	$(VENV)-train/bin/python -m pytest -q tests/test_ppo*.py tests/test_docs.py -k "ppo"

lint: $(VENV)/dev  ## style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev  ## mypy --strict on everything that is not jitted
	$(BIN)/mypy
	for game in *_env; do if [ -f $$game/game.py ]; then $(BIN)/mypy $$game || exit 1; fi; done

layers: $(VENV)/dev  ## the import contracts of the architecture
	$(BIN)/python -m tests.layers

check: lint types layers  ## everything that needs no game to be played

bench: $(VENV)/core  ## steps/s of all games
	$(BIN)/skyline bench

bench-peers: $(VENV)/core  ## others' environments for skyline bench --peers, each in its own venv
	$(BIN)/python -m benchmarks.peers.install

bench-check: $(VENV)/core  ## is a core layer slower than at the base commit (BASE=..)?
	$(BIN)/python -m benchmarks.check $(if $(BASE),--base $(BASE))

bench-prove: $(VENV)/core  ## show that bench-check is red for a slowed rule, green for a comment
	$(BIN)/python -m benchmarks.prove_gate

kills: $(VENV)-train/train  ## kill -9 tournaments and trainings at random times; resumed, they end as if they had not been
	$(VENV)-train/bin/python -m tests.endurance.kills

soak: $(VENV)/core  ## 10^8 decisions in batches of all games with checks; the memory stays flat
	$(BIN)/python -m tests.endurance.soak

golden: $(VENV)/dev  ## write the golden records anew (only after an env version bump)
	$(BIN)/python -m tests.golden --write

docs: $(VENV)/dev  ## write the tables of the environment pages anew
	$(BIN)/python -m skyline.tables

build: $(VENV)/dev  ## wheel and sdist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build

clean:           ## remove the environment and everything built
	rm -rf $(VENV) $(VENV)-ray $(VENV)-train $(VENV)-rllib dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
