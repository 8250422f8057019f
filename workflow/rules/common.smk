"""The checked configuration, and the plan from which every rule takes names and parameters."""

import gc
import os
import re
import sys
from glob import glob
from pathlib import Path

from snakemake.exceptions import WorkflowError

# The folder of this workflow, which may run in another folder or as a module.
PLACE = workflow.current_basedir.get_path_or_uri(secret_free=True)
WORKFLOW = Path(PLACE).parents[1].resolve()
if not WORKFLOW.is_dir():
    raise WorkflowError(
        f"fairflow is used from {PLACE}, which is not a local folder: clone fairflow, and in your "
        'Snakefile write snakefile: "CLONE/workflow/Snakefile" with the path of the clone'
    )
sys.path.insert(0, str(WORKFLOW / "scripts"))

try:
    from fairflow.planning.audit import audit_place, with_audit
    from fairflow.planning.configuration import configuration_folder, read_configuration
    from fairflow.capabilities import CAPABILITIES
    from fairflow.errors import ConfigurationError
    from fairflow.products.figures import FIGURES, figure_module
    from fairflow.files.atomic import shared_lock
    from fairflow.files.configuration_files import read_yaml
    from fairflow.planning import fingerprint as code, model_jobs, study_jobs
    from fairflow.planning import result_files as run_files
    from fairflow.planning.jobs import run_description
    from fairflow.planning.planner import make_plan
    from fairflow.planning.registry import Jobs, path_of
    from fairflow.products.paper.article import TABLES as PAPER_TABLES
    from fairflow.provenance.archive import workflow_files
    from fairflow.studies.tables import study_tables
    from fairflow.provenance import records
except ModuleNotFoundError as error:
    raise WorkflowError(
        f"{error} in {sys.executable}, which runs Snakemake: install what fairflow needs with "
        f"pip install '{'.' if WORKFLOW == Path.cwd() else WORKFLOW}[workflow]'"
    ) from None


def of_workflow(path):
    """The path of a file of this workflow, relative to the working folder."""
    return os.path.relpath(WORKFLOW / path)


def packed_workflow(wildcards):
    """The files of the workflow, which an archive contains next to its results."""
    if WORKFLOW != Path.cwd():
        raise WorkflowError(
            f"an archive contains the workflow: run this command in {WORKFLOW}, with your config"
        )
    return workflow_files(Path())


def one_of(names):
    """A regular expression that matches these names and nothing else."""
    names = [*map(re.escape, names)]
    # In a group, because Snakemake ignores an empty constraint.
    return f"(?:{'|'.join(names)})" if names else "(?!)"


def missing_results(checksums):
    """The results that have recorded checksums but are missing."""
    if not os.path.exists(checksums):
        return []
    files = (*rules.products.input, *run_files.results_of_run(PLAN))
    return [path for path in files if not os.path.exists(path)]


def in_report(study, table, file):
    """A file of a study; in Snakemake's report if a reader can open it."""
    path, name = f"results/studies/{study}/{file}", table.name if table else "conclusions"
    if not file.endswith((".csv", ".md")):
        return path
    labels = {"table": table and table.label or name.replace("_", " ")}
    shown = {"subcategory": "Tables" if table else "Conclusions", "labels": labels}
    return report(path, caption=f"../report/{name}.rst", category=study, **shown)


def tables_in_report(study, tables):
    """Every file of some tables of a study."""
    return [in_report(study.name, one, file) for one in tables for file in one.files]


def figure_in_report(study, figure):
    """A figure in a format, the wildcard; in Snakemake's report."""
    path = f"results/figures/{study}/{figure}.{{format,png|svg|pdf}}"
    shown = {"subcategory": "Figures", "labels": {"figure": figure}}
    return report(path, caption="../report/figure.rst", category=study, **shown)


def report_figures(run):
    """The figures on the report of a run."""
    return [f"results/figures/{figure}.svg" for figure in REPORTS[run]["figures"]]


def tables_read(reader, study):
    """The tables that a reader takes from a study, by name."""
    return run_files.tables_of_study(reader, study.name, *study.kinds)


def figures_code(figures):
    """A fingerprint of what draws some figures."""
    drawing = ["fairflow.products.figures", "fairflow.products.figures._save_figure"]
    return fingerprint(*drawing, "fairflow.files.tables", *map(figure_module, figures))


def paper_files(study):
    """The files of a study for a paper, by kind."""
    folder, figures = f"results/paper/{study.name}", study.figures
    tables = [*(f"scores_{metric}" for metric in study.scored_metrics), *PAPER_TABLES]
    return {
        "tables": [f"{folder}/tables/{table}.tex" for table in tables],
        "figures": [f"{folder}/figures/{figure}.pdf" for figure in figures],
        "sources": [f"{folder}/figures/{figure}.csv" for figure in figures],
        "captions": [f"{folder}/figures/{figure}.txt" for figure in figures],
    }


def print_settings(study):
    """What the LaTeX tables of a study say of it and of its metrics."""
    scored = {name: PLAN.metrics[name] for name in study.scored_metrics}
    metrics = {n: [one.direction, one.grows_with_length, one.of_words] for n, one in scored.items()}
    return {"study": study.name, "title": study.title, "metrics": metrics}


def audit_or_advice(wildcards):
    """The report of the audit."""
    if not AUDITS:
        raise WorkflowError(
            "audit: name a model: make audit MODEL=PATH, fairflow audit PATH, or "
            "snakemake audit --config audit=PATH"
        )
    with_conda = getattr(workflow.deployment_settings, "deployment_method", None)
    lacking = [check(PLAN.studies[AUDITS[0]]) for check in AUDIT_CHECKS]
    if any(lacking) and not with_conda:
        raise WorkflowError(f"audit: {next(filter(None, lacking))}")
    return f"{PAGES}/report.html"


PRODUCTS = of_workflow("scripts/fairflow/products")
STYLE = [f"{PRODUCTS}/figures/paper.mplstyle", *sorted(glob(f"{PRODUCTS}/figures/fonts/*.ttf"))]
TEMPLATES = sorted(glob(f"{PRODUCTS}/report/templates/*.*"))
MAIN = "config/config.yaml"
MAIN = MAIN if os.path.exists(MAIN) else of_workflow(MAIN)

try:
    # Snakemake itself would show a traceback.
    read_yaml(Path(MAIN))
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None


configfile: MAIN


# Snakemake creates a million objects for a thousand jobs and keeps most of them. Frequent garbage
# collection would take a seventh of the time of planning.
gc.freeze()
gc.set_threshold(500_000)

# This Snakemake holds the lock while it runs, so that workflow/alone.sh can find out. Its jobs on
# other nodes do not hold it.
AT_WORK = shared_lock(".snakemake/at_work.lock") if workflow.is_main_process else None

fingerprint = code.remembering(
    code.fingerprint,
    Path(".snakemake/fairflow_fingerprints.json"),
    keep=workflow.is_main_process,
)

MODELS = config.get("models_dir", "results/models")

try:
    PLAN = make_plan(
        with_audit(
            read_configuration(
                main=config,
                folder=configuration_folder(config, Path(of_workflow(""))),
                schemas=WORKFLOW / "workflow" / "schemas",
            )
        )
    )
    run_files.check_archive(PLAN)
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None

# The inputs and settings of each file.
JOBS = Jobs(PLAN, MODELS, config.get("device", "auto"), config.get("token_budget"))

# Settings of the command line, which workflow/recorded_runs.sh repeats.
SETTINGS = {
    "download": config.get("download"),
    "ledger": bool(config.get("ledger", False)),
}
# The whole run, and parts of it with their own report.
RUNS = {"": PLAN}
REPORTS = {"": run_description(PLAN)}

# The study of an audit, whose page has its own folder.
AUDITS = [*PLAN.studies] if PLAN.audited else []
PAGES = f"results/audit/{AUDITS[0]}" if AUDITS else "results"

# The values of each wildcard.
NAMES = {
    "model": PLAN.models,
    "metric": PLAN.metrics,
    "queries": dict.fromkeys(map(PLAN.file_of, PLAN.used_queries)),
    "download": PLAN.downloads,
    "study": PLAN.studies,
    "run": RUNS,
}

# Script -> the environment that it needs, if it is not that of the others.
ENVIRONMENTS = {}
# Functions that say of the study of an audit what is not installed here for it, if anything.
AUDIT_CHECKS = []
