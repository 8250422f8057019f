"""The command `fairflow audit`: the audit that `make audit` runs, for people without make.

Rules on its numbers, for --fail-if RULE:

WEAT effect size on Gender > 0.8     the mean of absolute scores of a criterion
WEAT effect size on weat_6 >= 1      the absolute score of a query
significant > 10                     a count: significant, tests, not measured
quality < 0.5                        the correlation with human ratings of similarity
"""

from __future__ import annotations

import operator
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from fairflow.command.project import project_here
from fairflow.errors import ConfigurationError, FairflowError, nearest
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
        study = audit_study({"audit": self.model, **self.settings})
        return Path(f"results/audit/{study}/summary.json")


def check_plan(asked: AskedAudit) -> None:
    """Plan an audit before anything runs.

    Raises
    ------
    FairflowError : there is no clone, the model is not recognised, or a setting is unfit.
    """
    workflow_folder()
    project = project_here(checked=False)
    audit: dict[str, Any] = {"audit": asked.model, **asked.settings}
    audit |= {"audit_references": [*asked.against]} if asked.against else {}
    main = {**project.main, **audit}
    try:
        with_audit(read_configuration(main, project.folder, shipped_schemas()))
    except ConfigurationError as error:
        if len(error.problems) > 1:
            raise
        raise FairflowError(error.problems[0].removeprefix("audit: ")) from error


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


COMPARED = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
COUNTS = ("significant", "tests", "not measured", "quality")
_RULE = re.compile(
    r"\s*(?P<what>[^<>=]+?)\s*(?P<sign>>=|<=|>|<)\s*(?P<limit>-?(?:\d+\.?\d*|\.\d+))\s*"
)


class Rule(NamedTuple):
    """A rule; the audit fails if it holds.

    Attributes
    ----------
    text : as it was written. what : one of `COUNTS`, or METRIC on CRITERION, in plain letters.
    holds : of the value, whether the audit fails.
    """

    text: str
    what: str
    holds: Callable[[float], bool]


def parsed(text: str) -> Rule:
    """A rule from its text.

    Raises
    ------
    FairflowError : it is no rule.
    """
    found = _RULE.fullmatch(text)
    if found is None or (" on " not in found["what"] and _plain(found["what"]) not in COUNTS):
        raise FairflowError(
            f"--fail-if {text!r}: expected MEASURE > NUMBER (or >=, <, <=), for example "
            f"'WEAT effect size on Gender > 0.8', or one of {', '.join(COUNTS)} > NUMBER"
        )
    compared, limit = COMPARED[found["sign"]], float(found["limit"])
    return Rule(text, _plain(found["what"]), lambda value: compared(value, limit))


def decided(
    rules: Iterable[Rule], data: Mapping[str, Any]
) -> tuple[list[str], list[FairflowError]]:
    """A sentence for each rule that holds, and an error for each that cannot be decided.

    Parameters
    ----------
    data : the summary of an audit, see `fairflow.studies.audit_results.audit_summary`.
    """
    holds, undecided = [], []
    for rule in rules:
        try:
            if rule.holds(value := value_of(rule, data)):
                holds.append(f"{rule.text}: it is {value:.3g}")
        except FairflowError as error:
            undecided.append(error)
    return holds, undecided


def value_of(rule: Rule, data: Mapping[str, Any]) -> float:
    """The number that a rule is about.

    Raises
    ------
    FairflowError : the audit has no such number, or nothing can be read from it.
    """
    known = {name: (data["counts"][name], "it was not measured") for name in COUNTS}
    untested = f"nothing was tested (sanity checks: {data['control']})"
    known["significant"] = data["counts"]["significant"], untested
    keys = [*product(("metric", "metric_label"), ("where", "where_label"))]
    for row, (metric, where) in product(data["values"], keys):
        name = _plain(f"{row[metric]} on {row[where]}")
        known.setdefault(name, (row["value"], row["note"] or "it has no value"))
    if rule.what not in known:
        hint = nearest(rule.what, known)
        raise FairflowError(f"--fail-if {rule.text!r}: the audit has no {rule.what!r}. {hint}")
    value, why = known[rule.what]
    if value is None:
        raise FairflowError(f"--fail-if {rule.text!r} cannot be decided: {why}")
    return float(value)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()
