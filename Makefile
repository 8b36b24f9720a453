# What one can ask of a checkout. `make lab` opens the lessons, `make test` runs every test; both first make the
# environment .venv (a few minutes the first time, seconds later). They need Python 3.11 to 3.14 and nothing else:
# no root, no Node, no system Graphviz.
#
#   make lab  [ARGS=--no-browser]      JupyterLab on the index of the lessons
#   make test [ARGS="-k tape -x"]      all tests: units, notebooks, and a real browser where there is one; what took how long
#   make test  ARGS="-n0 --pdb"        in one process, which a debugger needs
#   make test-long                     the tests that are long by nature: Binder in a clean environment, the newest Python, every row
#   make test-long-here                those of them that run in .venv; .ci/run calls the two parts by name
#   make test-tensorflow               minitape.tensorflow with the real library, in an environment of its own; part of test-long
#   make test-torch                    minitape.torch with the real library, likewise
#   make test-jax                      minitape.jax with the real library, likewise
#   make class [ARGS="--students 12"]  a class in a real JupyterHub on this machine: memory and times (needs npm and a browser)
#   make lint                          ruff, mypy over what is annotated; where npm is found, the front end and GitHub's workflows
#   make format                        format the front end as `make lint` wants it (needs npm)
#   make bench                         the speed table (peers are compared where they are installed)
#   make check OP=Tanh                 all that is known of one row of the table of derivatives, tried in seconds
#   make mutate [ARGS="Tanh Exp"]      break every gradient rule, or those of some rows, and see a test turn red
#   make docs                          the API pages: dist/docs/index.html
#   make notebooks                     make the lessons' notebooks again from notebooks/sources
#   make site                          the course for any file server: dist/site, to read and, where npm is found, to run in a browser
#   make site-pages [ARGS=--stored]    its pages alone; make site-lab [LAB=--newest] what runs in a browser (needs npm)
#   make pictures [ARGS=play]          take the README's pictures and films again, in Chromium
#   make wheel                         dist/*.whl and the sdist
#   make pins                          renew the pinned versions (needs a network)
#   make clean                         remove .venv and everything that was generated
#
# PYTHON=/path/to/python chooses another interpreter for .venv.

VENV  := .venv
TENSORFLOW := .venv-tensorflow
TORCH := .venv-torch
JAX   := .venv-jax
BIN   := $(VENV)/bin
FIRST := $(shell sed -n 's/^first_page *= *"\(.*\)"/\1/p' pyproject.toml)
PIP   := $(BIN)/python -m pip --disable-pip-version-check
ARGS  ?=
# What JupyterLab gets as a copy: where it has changed (after a `git pull`), it is installed again.
COPIED := $(shell find widgets/minitape_widgets/static widgets/minitape_widgets/labextension widgets/minitape_widgets/startup.py minitape/storyboard/messages minitape/schemas -type f -not -name '*.pyc')
# Two processes share the tests, file by file and in order: the browser's come last in each (tests/browser/conftest.py).
TWICE := --numprocesses=2 --dist=loadfile --no-loadscope-reorder --durations=10
# In a container one often is root, and JupyterLab asks to be told that this is meant.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
# The front end, and the tools that look at it.
TOOLS := tests/frontend/node_modules/.bin
NPM_STAMP := tests/frontend/node_modules/.stamp
FRONTEND := "widgets/**/*.{js,ts,css,json}" "notebooks/site/**/*.{js,css,json}" "tests/frontend/*.{js,json}"
export PIP_NO_WARN_SCRIPT_LOCATION = 1
# Containers often set it, and then each of a hundred kernels and commands that the tests start compiles minitape anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help lab test test-long test-long-here test-tensorflow test-torch test-jax class lint bench check mutate docs notebooks site site-pages site-lab pictures wheel pins clean

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

lab: $(VENV)/lab.stamp
	$(BIN)/jupyter lab $(AS_ROOT) --LabApp.default_url="/lab/tree/$(FIRST)" $(ARGS)

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest $(TWICE) $(ARGS)

test-long: test-long-here test-tensorflow test-torch test-jax

test-long-here: $(VENV)/test.stamp
	$(BIN)/python -m pytest $(TWICE) -m long $(ARGS)

test-tensorflow: $(TENSORFLOW)/test.stamp
	$(TENSORFLOW)/bin/python -m pytest $(TWICE) tests/real_tensorflow $(ARGS)

test-torch: $(TORCH)/test.stamp
	$(TORCH)/bin/python -m pytest tests/real_torch $(ARGS)

test-jax: $(JAX)/test.stamp
	$(JAX)/bin/python -m pytest tests/real_jax $(ARGS)

class: $(VENV)/test.stamp
	PYTHONPATH=.:widgets $(BIN)/python -m tests.classroom.trial $(ARGS)

# two halves, so that `make --jobs=2 lint` looks at both at once
.PHONY: lint-python lint-frontend format
lint: lint-python $(if $(shell command -v npm 2>/dev/null),lint-frontend)
	@command -v npm >/dev/null || \
	echo "The front end's types and format, and the workflows, were left out: npm was not found."

lint-python: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy

lint-frontend: $(NPM_STAMP)
	$(TOOLS)/tsc --project widgets/jsconfig.json
	$(TOOLS)/prettier --log-level warn --check $(FRONTEND)
	node tests/frontend/workflows.js

format: $(NPM_STAMP)
	$(TOOLS)/prettier --log-level warn --write $(FRONTEND)

# What looks at the front end and at GitHub's workflows. The product needs none of it: its files are delivered as they are.
$(NPM_STAMP): tests/frontend/package.json tests/frontend/package-lock.json
	@npm ci --silent --prefix tests/frontend
	@touch $@

bench: $(VENV)/test.stamp
	$(BIN)/python -m tests.benchmarks $(ARGS)

check: $(VENV)/test.stamp
	@$(BIN)/python -m tests.engine.one_row $(OP) $(ARGS)

mutate: $(VENV)/test.stamp
	$(BIN)/python -m tests.engine.mutate $(ARGS)

docs: $(VENV)/test.stamp
	$(BIN)/python -m tests.docs.build $(ARGS)

notebooks: $(VENV)/test.stamp
	$(BIN)/python notebooks/build.py $(ARGS)

# The pages lead to what runs where that is there; so it comes first.
site: $(VENV)/lab.stamp
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory site-lab; \
	else echo "The lessons to run in a browser were left out: npm was not found."; fi
	@$(MAKE) --no-print-directory site-pages

site-pages: $(VENV)/lab.stamp
	$(BIN)/python -m notebooks.site dist/site $(ARGS)

site-lab: $(VENV)/lab.stamp
	$(BIN)/python -m notebooks.site.lab dist/site $(LAB)
	$(BIN)/python -m notebooks.site.why_page dist/site

pictures: $(VENV)/test.stamp
	PYTHONPATH=.:widgets $(BIN)/python -m tests.browser.pictures $(ARGS)

wheel: $(VENV)/lab.stamp
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	$(BIN)/python -m hatchling build --target sdist
	@ls -l dist

# The environment. A stamp records that an installation went through to its end; it is made again when the pins or
# pyproject.toml change, never on an ordinary second run.

$(VENV)/bin/python:
	@python="$(PYTHON)"; \
	for candidate in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	    test -n "$$python" && break; \
	    if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then python=$$candidate; fi; \
	done; \
	if ! "$${python:-none}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    echo; \
	    echo "minitape needs Python 3.11 or newer, and none was found ($${python:-python3}: $$($${python:-python3} --version 2>&1))."; \
	    echo "Install one, or name one:  make lab PYTHON=/path/to/python3.12"; \
	    echo; exit 1; \
	fi; \
	if ! "$$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then \
	    echo; \
	    echo "$$python cannot make environments (the modules venv and ensurepip are missing)."; \
	    echo "On Debian and Ubuntu they are in the package python3-venv."; \
	    echo; exit 1; \
	fi; \
	echo "Making the environment $(VENV) with $$("$$python" --version) ..."; \
	"$$python" -m venv --clear $(VENV)

$(VENV)/lab.stamp: $(VENV)/bin/python binder/requirements.txt pyproject.toml $(COPIED)
	@echo "Installing the lab (the first time takes a few minutes) ..."
	@$(PIP) install --quiet -r binder/requirements.txt
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@$(BIN)/jupyter labextension disable --level=sys_prefix "@jupyterlab/apputils-extension:announcements"
	@touch $@

# TensorFlow, PyTorch and JAX never come into the environment of the other tests: each comes into a copy of the lab's, which is made of
# links where `cp` makes them. Where one cannot be installed, that is said, and its part fails. Most of their modules are never
# imported, so none is compiled before.
$(TENSORFLOW)/test.stamp: NAME := tensorflow
$(TORCH)/test.stamp: NAME := torch
$(JAX)/test.stamp: NAME := jax
$(TENSORFLOW)/test.stamp: tests/real_tensorflow/requirements.txt
$(TORCH)/test.stamp: tests/real_torch/requirements.txt
$(JAX)/test.stamp: tests/real_jax/requirements.txt
$(TENSORFLOW)/test.stamp $(TORCH)/test.stamp $(JAX)/test.stamp: $(VENV)/lab.stamp
	@echo "Installing $(NAME) for its tests ..."
	@$(BIN)/python -m venv --clear --without-pip $(@D)
	@for part in etc lib share; do cp -Rl $(VENV)/$$part $(@D) 2>/dev/null || cp -R $(VENV)/$$part $(@D); done
	@$(@D)/bin/python -m pip --disable-pip-version-check install --quiet --no-compile -r binder/requirements.txt \
		-r tests/real_$(NAME)/requirements.txt || { echo "!! $(NAME) COULD NOT BE INSTALLED: nothing of minitape.$(NAME) was tested."; exit 1; }
	@touch $@

$(VENV)/test.stamp: $(VENV)/lab.stamp tests/requirements.txt
	@echo "Installing the test tools ..."
	@$(PIP) install --quiet -r tests/requirements.txt
	@touch $@

pins:
	$(MAKE) VENV=.venv-pins .venv-pins/bin/python
	.venv-pins/bin/python binder/pins.py
	rm -rf .venv-pins

clean:
	rm -rf $(VENV) $(TENSORFLOW) $(TORCH) $(JAX) .venv-pins dist build .pytest_cache .ruff_cache .mypy_cache .hypothesis tests/frontend/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -type d -prune -exec rm -rf {} +
