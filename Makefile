# Two commands matter: `make demo` shows what reynard does, `make test` proves it.
# Everything is installed into .venv, with the versions of constraints.txt.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test test-slow test-rllib test-interop lint types docs bench million clean help

help:  ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 14

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("reynard needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(READY)  ## trains a Duet team from nothing, compares it, draws one of its games; then Lišák
	$(BIN)/reynard demo configs/duet/demo.yaml

test: $(READY)  ## all tests but the slow ones
	$(BIN)/python -m pytest -n 2 -m 'not slow'

test-slow: $(READY)  ## the slow ones
	$(BIN)/python -m pytest -n 2 -m slow

# Ray and other libraries hold versions of their own, so they live in environments of their own
.venv-rllib/.ready .venv-interop/.ready: .venv-%/.ready: pyproject.toml constraints.txt constraints-%.txt
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-$*.txt -e '.[dev,$*]'
	@touch $@

test-rllib test-interop: test-%: .venv-%/.ready  ## on a local Ray; in TorchRL, Tianshou and Stable-Baselines3
	.venv-$*/bin/python -m pytest tests/$*
	$(if $(filter rllib,$*),.venv-rllib/bin/pyright --pythonpath .venv-rllib/bin/python training/rllib)

lint: $(READY)  ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)  ## pyright
	$(BIN)/pyright

docs: $(READY)  ## write the generated pages and playthroughs anew
	$(BIN)/python docs/generate.py

bench: $(READY)  ## speed, beside whichever peers are installed
	$(BIN)/reynard bench duet
	$(BIN)/reynard bench lisak

million: $(READY)  ## a million random games without an invariant broken
	$(BIN)/python benchmarks/million_games.py

clean:  ## forget compiled code and caches
	find . -name __pycache__ -prune -exec rm -rf {} +
	rm -rf .pytest_cache .ruff_cache .hypothesis out
