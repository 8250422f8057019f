# Every target sets up .venv by itself from the hash-locked requirements in envs/.
PYTHON ?= python3
CORES ?= all
FETCH ?= all
BIN := .venv/bin
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
SNAKEMAKE := $(BIN)/snakemake --cores $(CORES) --workflow-profile workflow/profiles/local

.DELETE_ON_ERROR:
.PHONY: run run-lm paper report snakemake-report verify mend rebuild archive bench-lm
.PHONY: test test-slow lint format bench oracle lock docs clean distclean

run: .venv/workflow
	@workflow/run.sh $(SNAKEMAKE) --quiet rules host
	@echo "Done: open results/figures/ and results/ledger.md; 'make report' joins them in one page."

# LaTeX tables, figures with their sources, numbers.tex: what a paper takes from the studies, with
# every model that they name; FETCH=packages keeps to those that make run uses.
paper: .venv/workflow
	@PYTHONPATH=scripts $(BIN)/python -m fairflow.planning.announcement $(FETCH)
	@workflow/run.sh $(SNAKEMAKE) --quiet rules host --config fetch=$(FETCH) -- all paper
	@echo "Done: results/paper/article.tex shows every table and figure; 'pdflatex article' prints it."

# Compares every result with the checksums that the run recorded, and asks whether the configuration
# and the code still lead to them; mend makes again what does not agree.
verify: .venv/workflow
	@workflow/verify.sh $(SNAKEMAKE)

mend: .venv/workflow
	@workflow/mend.sh $(SNAKEMAKE) --quiet rules host
	@workflow/verify.sh $(SNAKEMAKE)

# Computes every score, table and figure again from the slices, without any model, and compares
# them with the recorded checksums.
rebuild: .venv/workflow
	@workflow/run.sh $(SNAKEMAKE) products --forcerun score_query tabulate_coverage --quiet rules host
	@PYTHONPATH=scripts $(BIN)/python -m fairflow.provenance.verify

# One file that holds the workflow, its configuration and results, and needs no model.
archive: .venv/workflow
	@workflow/run.sh $(SNAKEMAKE) pack_archive --quiet rules host
	@echo "Done: results/archive/fairflow-archive.tar.xz"

# The studies of language models (language_studies in config/config.yaml), with torch.
LANGUAGE := language_models --config language_models=True
run-lm: .venv/language-models
	@workflow/run.sh $(SNAKEMAKE) $(LANGUAGE) --quiet rules host
	@echo "Done: open results/report-lm.html in a browser."

test: .venv/development
	$(ONE_THREAD) $(BIN)/pytest -n 2 --dist loadfile --durations 10 --ignore tests/slow

# Simulations: do intervals cover and p-values hold what they promise? SIMULATIONS=1000 sharpens them.
test-slow: .venv/development
	$(ONE_THREAD) $(BIN)/pytest -n 2 --dist worksteal --durations 10 tests/slow

lint: .venv/development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	PYTHONPATH=scripts $(BIN)/lint-imports --no-cache
	$(BIN)/snakemake --lint

format: .venv/development
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

report: run
	@workflow/run.sh $(SNAKEMAKE) --quiet rules host -- report
	@echo "Done: open results/report.html in a browser."

# Snakemake's own report: the same tables and figures with the rules that made them and their times.
snakemake-report: run
	@$(BIN)/snakemake --report results/snakemake-report.html 2>results/logs/report.log || { cat results/logs/report.log >&2; exit 1; }
	@echo "Done: open results/snakemake-report.html in a browser."

# Compares with WEFE itself, in an environment of its own (Python 3.11 or 3.12): random queries, then
# the notebooks of tests/oracle/notebooks, which both run from one text.
oracle: .venv/development .venv-oracle/ready
	PYTHONPATH=scripts:tests $(BIN)/python -m oracle.live.compare .venv-oracle/bin/python
	PYTHONPATH=scripts:tests $(BIN)/python -m oracle.live.notebooks .venv-oracle/bin/python

bench: .venv/development .venv-oracle/ready
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench.py .venv-oracle/bin/python
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench_statistics.py .venv-oracle/bin/python
	$(BIN)/python tests/bench/bench_vectors.py
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench_workflow.py .venv-oracle/bin/python

# Language models beside FairLangProc 0.1.9, in an environment of its own.
bench-lm: .venv/language-models .venv-fairlangproc/ready
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench_lm.py .venv-fairlangproc/bin/python

.venv-oracle/ready: tests/oracle/live/requirements.txt
	test -x .venv-oracle/bin/pip || $(PYTHON) -m venv .venv-oracle
	.venv-oracle/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.venv-fairlangproc/ready: tests/bench/fairlangproc-requirements.txt
	test -x .venv-fairlangproc/bin/pip || $(PYTHON) -m venv .venv-fairlangproc
	.venv-fairlangproc/bin/pip install --quiet --disable-pip-version-check --requirement $<
	.venv-fairlangproc/bin/pip install --quiet --disable-pip-version-check --no-deps FairLangProc==0.1.9 $(TORCH)
	@touch $@

# config/README.md explains every key; it is generated from the schemas. ARCHITECTURE.md has a table
# of the rooms of the library, from its imports.
# tests/oracle/DEFECTS.md what is done about each known defect of WEFE,
# tests/unit/fairlangproc/DEVIATIONS.md where fairflow follows the papers and not FairLangProc.
docs: .venv/development
	PYTHONPATH=scripts $(BIN)/python -m fairflow.planning.configuration_reference
	PYTHONPATH=scripts $(BIN)/python tests/unit/document_rooms.py
	PYTHONPATH=scripts $(BIN)/python tests/oracle/document_defects.py
	PYTHONPATH=scripts $(BIN)/python tests/unit/fairlangproc/document_deviations.py

# Removes what can be computed again; downloads stay.
clean:
	rm -rf .snakemake
	find results -mindepth 1 -maxdepth 1 ! -name downloads ! -name .gitkeep -exec rm -rf {} +

distclean: clean
	rm -rf results/downloads .venv .venv-oracle .venv-fairlangproc .pytest_cache .ruff_cache .hypothesis

.venv/workflow: envs/requirements.txt
	$(call install,envs/requirements.txt)

.venv/cluster: envs/requirements-cluster.txt
	$(call install,envs/requirements-cluster.txt)
	@touch .venv/workflow

# torch is not locked by hash: the package index serves one that needs gigabytes of CUDA packages to
# start, others serve one for the CPU alone (TORCH="torch==2.13.0 --index-url ..."). It is tried by
# itself, with what it needs of other packages from the lock, and only where it does not start so
# with all that it asks for.
TORCH ?= torch==2.13.0
.venv/language-models: envs/requirements-lm.txt
	$(call install,envs/requirements-lm.txt)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps $(TORCH)
	@$(BIN)/python -c 'import torch' 2>/dev/null || \
		$(BIN)/pip install --quiet --disable-pip-version-check --force-reinstall $(TORCH)
	@touch $@ .venv/workflow

.venv/development: envs/requirements-dev.txt
	$(call install,envs/requirements-dev.txt)
	@touch .venv/workflow .venv/cluster

define install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "fairflow needs Python 3.11 or later; name one with PYTHON=...")'
@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
@echo "Installing $(1) into .venv ..."
@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $(1)
@touch $@
endef

lock:
	test -x .venv-lock/bin/pip-compile || $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet pip-tools==7.6.2
	envs/lock.sh "$(CURDIR)/.venv-lock/bin/pip-compile"
	rm -rf .venv-lock
