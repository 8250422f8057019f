"""The command `fairflow audit`: the audit that `make audit` runs, for people without make."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairflow.command.project import project_here
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import shipped_configuration, shipped_schemas
from fairflow.planning.audit import audit_place, audit_study, with_audit
from fairflow.planning.configuration import read_configuration

# Options of the command -> the settings of config.yaml and the variables of make.
SETTINGS = {
    "name": "audit_name",
    "preset": "audit_preset",
    "language": "audit_language",
    "model_format": "audit_format",
    "pooling": "audit_pooling",
}
_SUMMARY = "results/audit/{}/summary.json"


@dataclass(frozen=True)
class AskedAudit:
    """The arguments of an audit, from the command line.

    Attributes
    ----------
    model : a path or hf:ORG/NAME@COMMIT. against : reference models, () for the default ones.
    settings : setting of config.yaml -> its value. cores : for Snakemake.
    """

    model: str
    against: tuple[str, ...]
    settings: Mapping[str, str]
    cores: str = "all"

    @property
    def summary(self) -> Path:
        """The file with what the audit found."""
        return Path(_SUMMARY.format(audit_study({"audit": self.model, **self.settings})))


def planned_metrics(asked: AskedAudit) -> dict[str, str]:
    """The metrics of an audit, name -> label, before anything runs.

    Raises
    ------
    FairflowError : there is no clone, the model is not recognised, or a setting is unfit.
    """
    workflow_folder()
    project = project_here(checked=False)
    audit = {"audit": asked.model, **asked.settings}
    audit |= {"audit_references": [*asked.against]} if asked.against else {}
    main = {**project.main, **audit}
    try:
        found = with_audit(read_configuration(main, project.folder, shipped_schemas()))
    except ConfigurationError as error:
        if len(error.problems) > 1:
            raise
        raise FairflowError(error.problems[0].removeprefix("audit: ")) from error
    preset = found.presets[found.audited.preset]
    return {name: found.metrics[name].get("label", name) for name in preset["metrics"]}


def run_audit(asked: AskedAudit, quiet: bool = False) -> int:
    """Run the audit in the working folder; the exit status of Snakemake.

    Parameters
    ----------
    quiet : whether the audit's page goes to stderr, because something else is printed.

    Raises
    ------
    FairflowError : the workflow or Snakemake is missing.
    """
    workflow = workflow_folder()
    variables = {key: value for key, value in asked.settings.items() if value}
    variables["audit"] = audit_place(asked.model)
    environment = os.environ | variables | {"audit_references": ",".join(asked.against)}
    command = [
        sys.executable,
        *("-P", str(workflow / "workflow/asked.py"), str(workflow / "workflow/run.sh")),
        *(snakemake(workflow), "--logger", "fairflow", "--executor", "fairflow"),
        *("--snakefile", str(workflow / "Snakefile"), "--cores", asked.cores),
        *("--workflow-profile", str(workflow / "workflow/profiles/local")),
        *("--config", *(f"{name}=@{name}" for name in variables)),
        *("audit_references=[@audit_references]", "--", "audit"),
    ]
    output = sys.stderr if quiet else None
    return subprocess.run(command, env=environment, stdout=output, check=False).returncode


def workflow_folder() -> Path:
    """The clone with the Snakefile: the working folder, or the clone that contains the library.

    Raises
    ------
    FairflowError : there is no clone, as for an installed package.
    """
    for folder in (Path(), shipped_configuration().parent):
        if (folder / "Snakefile").is_file() and (folder / "workflow/rules/audit.smk").is_file():
            return folder
    raise FairflowError(
        "an audit runs fairflow's workflow, which the installed package does not contain. Clone "
        "the repository and call fairflow audit in its folder. Without a clone, 'fairflow score "
        "VECTORS' computes scores of word vectors"
    )


def snakemake(workflow: Path) -> str:
    """The path of Snakemake: of the running Python, or of the clone's .venv.

    Raises
    ------
    FairflowError : Snakemake is not installed.
    """
    own = Path(sys.executable).with_name("snakemake")
    candidates = [own] if find_spec("snakemake") else []
    for path in (*candidates, workflow.absolute() / ".venv/bin/snakemake"):
        if path.is_file():
            return str(path)
    raise FairflowError(
        "an audit needs Snakemake: pip install 'snakemake>=9' where fairflow is installed (the "
        "extra requirements workflow), or make .venv/workflow in the clone"
    )


def audit_data(asked: AskedAudit) -> dict[str, Any]:
    """The findings of the audit, as plain values.

    Raises
    ------
    FairflowError : the audit wrote nothing.
    """
    if not asked.summary.is_file():
        raise FairflowError(f"the audit wrote no {asked.summary}")
    return read_json(asked.summary)
