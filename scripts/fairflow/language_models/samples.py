"""What `fairflow score` says of a samples file of lm-eval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from fairflow.command.project import Project
from fairflow.command.scoring import interval_ends, interval_name
from fairflow.language_models.cells.lm_eval_file import SamplesScores, score_samples
from fairflow.statistics.uncertainty import Statistics


def samples_scores(
    project: Project, path: str, name: str | None = None, statistics: bool = True
) -> SamplesScores:
    """What a samples file of lm-eval says, with the tests and intervals of the project.

    Raises
    ------
    FairflowError : a task that is not known, or a file that is not whole.
    """
    settings = Statistics(**project.main.get("statistics", {})) if statistics else None
    with threadpool_limits(1):
        return score_samples(Path(path), name or "", project.main.get("seed", 0), settings)


def readable_samples(found: SamplesScores, name: str | None = None) -> tuple[list[Any], str]:
    """The columns that a person reads, and sentences about the file."""
    shown = []
    for row in found.rows:
        cells = {"lm-eval": row["number"] or None, "its value": row.get("lm_eval")}
        if any(row.get("same_items") != row.get("lm_eval") for row in found.rows):
            cells["on our items"] = row.get("same_items")
        cells |= {"ours": f"{row['metric']} {row['measure']}".strip(), "value": row["value"]}
        cells[interval_name(found.rows)] = interval_ends(row)
        cells |= {"p": row.get("p_value"), "items": row.get("n_items")}
        why = {"reason": row["reason"]} if row.get("reason") else {}
        shown.append(cells | {"clusters": row.get("n_clusters")} | why)
    by = name or found.model or "a model without a name (--name gives one)"
    told = [f"task {found.task} of lm-eval, {found.n_samples} items, by {by}", *found.findings]
    return shown, "".join(f"{sentence}\n" for sentence in told)
