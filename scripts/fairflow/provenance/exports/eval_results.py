"""`.eval_results/*.yaml` of a model's repository on the Hub of Hugging Face.

https://huggingface.co/docs/hub/eval-results: entries have a data set, its task, one value and
notes. The notes hold the interval, the test and the fair value, for which there is no other place.
The Hub shows an entry once its data set is registered there as a benchmark with these tasks.
"""

from __future__ import annotations

from typing import Any

import yaml

from fairflow.provenance.exports.exported_study import ExportedScore, ExportedStudy
from fairflow.studies.findings.items import Score


def eval_results(study: ExportedStudy) -> dict[str, str]:
    """MODEL/.eval_results/fairflow_STUDY.yaml -> the entries of each model with a score."""
    scores = {model: study.scores(model) for model in study.models}
    return {
        f"{model}/.eval_results/fairflow_{study.name}.yaml": yaml.safe_dump(
            [_entry(study, one) for one in own], allow_unicode=True, sort_keys=False, width=100
        )
        for model, own in scores.items()
        if own
    }


def _entry(study: ExportedStudy, one: ExportedScore) -> dict[str, Any]:
    identity = ", ".join(f"{name} {value}" for name, value in study.identity.items())
    numbers = Score("", one.row, one.shift, "").numbers
    notes = (numbers, f"{one.metric} on {one.query}, {one.fair:g} is fair", one.reading, identity)
    return {
        "dataset": {"id": study.dataset or f"fairflow/{study.name}", "task_id": one.name},
        "value": one.score.value,
        "date": study.made.date().isoformat(),
        "notes": "; ".join(filter(None, notes)),
    }
