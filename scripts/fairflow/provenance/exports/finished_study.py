"""Reading what is exported: the scores of a study in the folder of a run, and its configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.errors import FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.files.tables import read_table
from fairflow.planning.audit import with_audit
from fairflow.planning.configuration import only, read_configuration
from fairflow.planning.jobs import Jobs
from fairflow.planning.plan import Plan
from fairflow.planning.planner import make_plan
from fairflow.planning.study import Study
from fairflow.planning.study_jobs import study_jobs
from fairflow.products.figures import sentences
from fairflow.products.report.html_tables import LAYOUTS
from fairflow.provenance.exports.exported_study import ExportedStudy
from fairflow.provenance.records import model_entries, run_identity
from fairflow.studies.findings.finding import Results

_SCORES = "results/studies/{}/scores.parquet"
_AUDIT = "results/audit/{}/settings.json"
_SOFTWARE = "CITATION.cff"
# What the entry of a language model says, next to what is recorded of every model.
_OF_NETWORKS = ("kind", "hub", "revision")


def finished_study(
    main: Mapping[str, Any], folder: Path, schemas: Path, name: str, dataset: str = ""
) -> ExportedStudy:
    """A study of the run in the working folder.

    Parameters
    ----------
    main : contents of config.yaml. folder, schemas : of the configuration.
    dataset : ORG/NAME on the Hub.

    Raises
    ------
    FairflowError : the folder has no results, or none of this study.
    """
    path = Path(_SCORES.format(name))
    if not Path("results").is_dir():
        raise FairflowError(
            f"{os.getcwd()} is not the folder of a run: it has no folder results. Go to the folder "
            "in which make run was called"
        )
    if not path.is_file():
        raise FairflowError(f"{path} is missing: {_command(main, folder, name)} makes it")
    scores = read_table(path)
    plan = _plan(main, folder, schemas, name, scores)
    study = plan.studies[name]
    asked = study_jobs(Jobs(plan))["state_conclusions", name].how["asked"]
    workflow = shipped_configuration().parent
    software = _software(workflow)
    return ExportedStudy(
        name,
        study.title,
        datetime.fromtimestamp(int(path.stat().st_mtime), UTC),
        run_identity(plan, path, workflow),
        Results({"scores": scores}, **asked),
        study,
        {model: facts for model, facts in _models(plan) if model in {*scores["model"]}},
        dict(_files(study)),
        [_author(author) for author in software.get("authors", ())],
        f"https://doi.org/{software['doi']}" if "doi" in software else "",
        dataset,
    )


def _command(main: Mapping[str, Any], folder: Path, name: str) -> str:
    entry = folder / "studies" / f"{name}.yaml"
    models = (read_yaml(entry) if entry.is_file() else {}).get("models", ())
    networks = folder / "language_models.yaml"
    of_networks = read_yaml(networks) if networks.is_file() else {}
    target = "run" if of_networks.keys().isdisjoint(models) else "run-lm"
    return f"make {target} STUDY={name}"


def _plan(
    main: Mapping[str, Any], folder: Path, schemas: Path, name: str, scores: pd.DataFrame
) -> Plan:
    """The plan that has what the scores are of: with the models to download, if need be."""
    main = {**main, **_settings(name), "language_models": True, "ledger": True}
    for download in (main.get("download"), "all"):
        asked = {**main, **({"download": download} if download else {})}
        plan = make_plan(with_audit(read_configuration(asked, folder, schemas))).of([name])
        study = plan.studies[name]
        every = {"model": study.models, "metric": study.metrics}
        every["query"] = (*study.queries, *study.controls)
        unknown = [one for what, names in every.items() for one in {*scores[what]} - {*names}]
        if not unknown:
            return plan
    raise FairflowError(
        f"{_SCORES.format(name)} has scores of {', '.join(sorted(unknown))}, which the study does "
        f"not name any more: {_command(main, folder, name)} computes it as it is now"
    )


def _settings(name: str) -> dict[str, Any]:
    """The keys of config.yaml for the study alone, which may be that of an audit."""
    path = Path(_AUDIT.format(name))
    if not path.is_file():
        return only(name)
    run = read_json(path)["run"]
    found = {f"audit_{key.lower()}": run[key] for key in ("NAME", "PRESET", "FORMAT", "POOLING")}
    if run["AGAINST"]:
        found["audit_references"] = run["AGAINST"].split(",")
    return {"audit": run["MODEL"], **{key: value for key, value in found.items() if value}}


def _models(plan: Plan) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name -> what the catalogue says of a model, without what is not known."""
    for facts in model_entries(plan):
        model = plan.models[facts["name"]]
        facts |= {name: model.entry.get(name) for name in _OF_NETWORKS}
        known = {name: value for name, value in facts.items() if value not in (None, "", False)}
        yield known.pop("name"), known


def _files(study: Study) -> Iterator[tuple[str, str]]:
    """Each table and figure that is there, and what it is."""
    comments = {f"studies/{study.name}/conclusions.md": "What was found, in sentences"}
    comments |= {f"figures/{study.name}/{name}.pdf": sentences(name)[0] for name in study.figures}
    for one in LAYOUTS:
        comments[f"studies/{study.name}/{one.name}.csv"] = f"{one.title}: {one.caption}"
    for path, comment in comments.items():
        if Path("results", path).is_file():
            yield f"results/{path}", comment


def _software(workflow: Path) -> Mapping[str, Any]:
    """Contents of the CITATION.cff of the working folder, or else of the workflow."""
    for path in (Path(_SOFTWARE), workflow / _SOFTWARE):
        if path.is_file():
            return read_yaml(path)
    return {}


def _author(author: Mapping[str, str]) -> dict[str, str]:
    name = author.get("name") or f"{author['given-names']} {author['family-names']}"
    return {"name": name, "orcid": author.get("orcid", "")}
