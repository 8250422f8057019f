"""The configuration, checked, and the plan that every rule asks for names and parameters."""

import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# The folder of this workflow, wherever it is run or used as a module.
WORKFLOW = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parents[1].resolve()
if not WORKFLOW.is_dir():
    raise WorkflowError(
        f"fairflow is used from {WORKFLOW}, which is no folder here: clone fairflow, and let "
        "'snakefile:' name the Snakefile of the clone"
    )
sys.path.insert(0, str(WORKFLOW / "scripts"))

from fairflow.planning.configuration import configuration_folder, read_configuration
from fairflow.errors import ConfigurationError
from fairflow.products.figures import FIGURES, figure_module
from fairflow.files.atomic import shared_lock
from fairflow.planning.fingerprint import fingerprint
from fairflow.planning.planner import make_plan
from fairflow.planning.run_description import run_description
from fairflow.planning import result_files as run_files
from fairflow.provenance.citations import citations
from fairflow.provenance.resolved_configuration import resolved_configuration
from fairflow.provenance.environment import environment
from fairflow.provenance.model_records import model_entries
from fairflow.provenance.project_files import workflow_files
from fairflow.scores.cell import Cell, Slice
from fairflow.provenance.word_set_records import word_set_entries


def of_workflow(path):
    """A file of this workflow, from the working folder, which need not be the workflow's."""
    return os.path.relpath(WORKFLOW / path)


def packed_workflow(wildcards):
    """The files of the workflow, which an archive holds beside its results."""
    if WORKFLOW != Path.cwd():
        raise WorkflowError(
            f"an archive holds the workflow: run it in {WORKFLOW}, with your config"
        )
    return workflow_files(Path())


def one_of(names):
    """A regular expression that matches these names and nothing else."""
    # In a group, because an empty name alone would read as no constraint.
    return f"(?:{'|'.join(map(re.escape, names))})" if names else "(?!)"


def slice_of(wildcards):
    """The slice that a rule makes or reads."""
    return Slice(wildcards.model, wildcards.query)


def cell_of(wildcards):
    """The cell that a rule scores."""
    return Cell(wildcards.model, wildcards.metric, wildcards.query)


def table(name, label=None, **shown):
    """A table of a study, with its place in Snakemake's report."""
    stem = name.split(".")[0]
    return report(
        f"results/studies/{{study}}/{name}",
        caption=f"../report/{stem}.rst",
        category="{study}",
        **{"subcategory": "Tables", "labels": {"table": label or stem.replace("_", " ")}} | shown,
    )


MAIN = "config/config.yaml"


configfile: MAIN if os.path.exists(MAIN) else of_workflow(MAIN)


# Held as long as this Snakemake is at work here; workflow/alone.sh asks whether one is. Its jobs
# on other nodes do not count.
AT_WORK = shared_lock(".snakemake/at_work.lock") if workflow.is_main_process else None

MODELS = config.get("models_dir", "results/models")

try:
    PLAN = make_plan(
        read_configuration(
            main=config,
            folder=configuration_folder(config, Path(of_workflow(""))),
            schemas=WORKFLOW / "workflow" / "schemas",
        )
    )
    run_files.check_archive(PLAN)
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None

# What a command line may change: workflow/recorded_runs.sh gives it again.
SETTINGS = {
    "fetch": config.get("fetch"),
    "language_models": bool(config.get("language_models", False)),
}
LANGUAGE_STUDIES = PLAN.language_studies()
RUNS = {"": PLAN} | ({"-lm": PLAN.of(LANGUAGE_STUDIES)} if LANGUAGE_STUDIES else {})
REPORTS = {run: run_description(plan) for run, plan in RUNS.items()}

# What each wildcard may stand for.
NAMES = {
    "model": PLAN.models,
    "metric": PLAN.metrics,
    "query": PLAN.queries,
    "download": PLAN.downloads,
    "study": PLAN.studies,
    "figure": PLAN.figure_names,
    "run": RUNS,
}
