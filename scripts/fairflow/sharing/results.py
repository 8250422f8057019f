"""What `fairflow merge` and `fairflow export` write, and what they say of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.command.project import meant, project_here
from fairflow.errors import FairflowError, nearest
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import shipped_schemas, version
from fairflow.files.tables import plain_cell
from fairflow.products.report.page import page
from fairflow.products.report.study_section import study_section
from fairflow.sharing.exports import FORMS, finished_study
from fairflow.sharing.finished_run import read_run
from fairflow.sharing.merged import Run, merge
from fairflow.studies.comparability import incomparable
from fairflow.studies.score_table import flattened
from fairflow.studies.wording import counted, listed, shortened

FILES = ("merged.csv", "leaderboard.html", "merged.json")


def write_merged(paths: Sequence[Path], only: Sequence[str], target: Path) -> list[str]:
    """Merge runs, and write the files.

    Returns
    -------
    Sentences on what was merged and written.

    Raises
    ------
    FairflowError : of `read_run` and `merge`; or the folder has other files.
    """
    if target.is_dir() and {file.name for file in target.iterdir()} - {*FILES}:
        raise FairflowError(f"{target} has other files: name a new or empty folder after --to")
    runs = [read_run(path, name) for path, name in zip(paths, _names(paths), strict=True)]
    variants = {name: one for run in runs for name, one in run.variants.items()}
    here = version()
    merged = merge(runs, variants, incomparable(variants), only)
    record = {"fairflow": here, "only": sorted(only), "runs": [*map(_record, merged.runs)]}
    described = record | {"studies": [one.study for one in merged.studies]}
    sections = [study_section(*one, {}) for one in merged.studies]
    text = page(described, sections, pd.DataFrame())
    cells = flattened(merged.cells)
    # Others wrote them.
    texts = cells.select_dtypes(exclude=["number", "bool"])
    texts = texts.map(lambda one: plain_cell(one) if isinstance(one, str) else one)
    table = cells.assign(**texts).to_csv(index=False, lineterminator="\n")
    told = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    for name, contents in zip(FILES, (table, text, told), strict=True):
        write_text(contents, target / name)
    others = [run for run in merged.runs if run.version != here]
    unknown = sorted({*merged.cells["metric"]} - {*variants})
    numbers = {"score": len(merged.cells), "model": merged.cells["model"].nunique()}
    numbers["run"] = len(merged.runs)
    return [
        *(
            f"{run.name} was written by fairflow {run.version or '?'}, read by {here}"
            for run in others
        ),
        *(f"{metric} is no metric of fairflow: it ranks no model" for metric in unknown),
        f"Merged {listed(counted(n, one) for one, n in numbers.items())}",
        f"Wrote {listed(FILES)} in {target}",
    ]


def _names(paths: Sequence[Path]) -> list[str]:
    """The last parts of each path, as many as keep different paths apart."""
    parts = [path.resolve().parts for path in paths]
    every = (["/".join(own[-n:]) for own in parts] for n in range(1, max(map(len, parts)) + 1))
    return next(names for names in every if len({*names}) == len({*parts}))


def _record(run: Run) -> dict[str, Any]:
    """A run by the checksums of its tables and models."""
    models = {model for table in run.tables.values() for model in table["model"]}
    return {
        **{"name": run.name, "version": run.version, "seed": run.seed},
        "scores_sha256": dict(sorted(run.checksums.items())),
        "models": {model: run.models.get(model, {}) for model in sorted(models)},
    }


def export(study: str, form: str, to: str | None = None) -> Iterator[str]:
    """Write the files of a form; a line on each file, and on scores that it leaves out.

    Parameters
    ----------
    form : of `FORMS`. to : a folder; results/exports/STUDY/FORM by default.

    Raises
    ------
    FairflowError : no such form or study, no results, or a file is there with other contents.
    """
    if form not in FORMS:
        raise FairflowError(f"there is no form {form!r}. {nearest(form, FORMS)}")
    project = project_here(checked=False)
    audits = [path.parent.name for path in Path("results/audit").glob("*/settings.json")]
    name = meant("study", study, [*project.files("studies"), *audits])
    found = finished_study(project.main, project.folder, shipped_schemas(), name)
    folder = to or f"results/exports/{name}/{form}"
    texts = {Path(folder, path): text for path, text in FORMS[form](found).items()}
    for path, text in texts.items():
        # Files of the usual folder are ours.
        if to and path.exists() and path.read_text("utf-8") != text:
            raise FairflowError(
                f"{path} is there with other contents: remove it, or name another folder with --to"
            )
    for path, text in texts.items():
        write_text(text, path)
        yield f"wrote {path}"
    for model, reasons in found.left_out.items():
        for why, count in Counter(map(shortened, reasons.values())).items():
            label = found.models[model]["label"]
            yield f"{label}: {counted(count, 'score')} not exported: {why}"
