"""Reading what is exported: the scores of a study in the folder of a run, and its configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.files.tables import read_table
from fairflow.planning.audit import with_audit
from fairflow.planning.configuration import only, read_configuration
from fairflow.planning.jobs import Jobs
from fairflow.planning.planner import make_plan
from fairflow.planning.study_jobs import study_jobs
from fairflow.provenance.exports.exported_study import ExportedStudy, known
from fairflow.provenance.records import model_entries, run_identity
from fairflow.studies.claims.claim import Results

_CITATION = "CITATION.cff"
_MADE_BY = "make run STUDY={0} (of language models: make run-lm STUDY={0}) computes it"


def finished_study(
    main: Mapping[str, Any], folder: Path, schemas: Path, name: str
) -> ExportedStudy:
    """A study of the run in the working folder, or the study of an audit.

    Parameters
    ----------
    main : contents of config.yaml. folder, schemas : of the configuration.

    Raises
    ------
    FairflowError : the folder has no results, none of this study, or scores that it does not name.
    """
    path, workflow = Path(f"results/studies/{name}/scores.parquet"), shipped_configuration().parent
    if not Path("results").is_dir():
        raise FairflowError(
            f"{os.getcwd()} is not the folder of a run: it has no folder results. Go to the folder "
            "in which make run was called"
        )
    if not path.is_file():
        raise FairflowError(f"{path} is missing: {_MADE_BY.format(name)}")
    scores = read_table(path)
    # With every model that is in a study: which of them a run had, its scores say.
    main = {**main, **_settings(name), "language_models": True, "ledger": True, "download": "all"}
    plan = make_plan(with_audit(read_configuration(main, folder, schemas))).of([name])
    study = plan.studies[name]
    named = {"model": study.models, "metric": study.metrics, "query": study.queries}
    if unknown := [one for what, names in named.items() for one in {*scores[what]} - {*names}]:
        text = f"{path} has scores of {', '.join(sorted(unknown))}, which the study does not name"
        raise FairflowError(f"{text} any more: {_MADE_BY.format(name)} as it is now")
    asked = study_jobs(Jobs(plan))["state_conclusions", name].how["asked"]
    models = {entry["name"]: known(entry) for entry in model_entries(plan)}
    cited = [one for one in (Path(_CITATION), workflow / _CITATION) if one.is_file()]
    software = read_yaml(cited[0]) if cited else {}
    return ExportedStudy(
        datetime.fromtimestamp(int(path.stat().st_mtime), UTC),
        run_identity(plan, path, workflow),
        Results({"scores": scores}, **asked),
        study,
        {model: models[model] for model in scores["model"].unique()},
        [{"name": _name(author), **author} for author in software.get("authors", ())],
    )


def _settings(name: str) -> dict[str, Any]:
    """The keys of config.yaml for the study alone, which may be that of an audit."""
    path = Path(f"results/audit/{name}/settings.json")
    if not path.is_file():
        return only(name)
    run = {f"audit_{key.lower()}": value for key, value in read_json(path)["run"].items() if value}
    references = run.pop("audit_against", "").split(",")
    run |= {"audit": run.pop("audit_model")}
    return run | ({"audit_references": references} if references != [""] else {})


def _name(author: Mapping[str, str]) -> str:
    return author.get("name") or f"{author['given-names']} {author['family-names']}"
