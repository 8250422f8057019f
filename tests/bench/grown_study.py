"""A study of any size on made-up vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import yaml
from workflow.project import Project, copy_workflow

WORDS = [f"word{i:03d}" for i in range(200)]
DIMS = 8
SET_SIZE = 4
LOOKUP = {"preprocessors": [{}], "strategy": "first", "lost_vocabulary_threshold": 0.2}


def make_grown(folder: Path, models: int, metrics: int, queries: int) -> Project:
    """A project with given numbers of models, WEAT variants and queries, without statistics."""
    config = folder.with_name(folder.name + "-config")
    for name, contents in _configuration(models, metrics, queries).items():
        path = config / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(contents, sort_keys=False))
    copy_workflow(folder, config)
    (folder / "data").mkdir()
    for i in range(models):
        vectors = np.random.default_rng(i).normal(size=(len(WORDS), DIMS))
        rows = zip(WORDS, vectors, strict=True)
        lines = [f"{word} {' '.join(f'{x:.5f}' for x in row)}\n" for word, row in rows]
        (folder / f"data/model-{i}.txt").write_text("".join(lines))
    return Project(folder)


def _configuration(models: int, metrics: int, queries: int) -> dict[str, Any]:
    """The files of config/ by name."""
    sets, planned = {}, {}
    for i in range(queries):
        words = np.random.default_rng(i).choice(WORDS, 4 * SET_SIZE, replace=False).tolist()
        for j in range(4):
            sets[f"set-{i}-{j}"] = {"words": words[j * SET_SIZE : (j + 1) * SET_SIZE]}
        first, second, third, fourth = (f"grown:set-{i}-{j}" for j in range(4))
        planned[f"query-{i}"] = {
            "targets": {"A": first, "B": second},
            "attributes": {"C": third, "D": fourth},
        }
    catalogue = {
        f"model-{i}": {"sources": [{"file": f"data/model-{i}.txt"}], "format": "glove-text"}
        for i in range(models)
    }
    variants = {f"weat-{i}": {"metric": "weat", "measure": "weat"} for i in range(metrics)}
    study = {
        "title": "Grown",
        "models": list(catalogue),
        "metrics": list(variants),
        "criteria": {"All": list(planned)},
        "aggregation": "abs_avg",
        "statistics": "none",
    }
    return {
        "config": {"studies": ["grown"], "seed": 1},
        "lookups": {"as_written": LOOKUP},
        "models": catalogue,
        "metrics": variants,
        "word_sets/grown": {"citation": "made up", "sets": sets},
        "queries/grown": {"queries": planned},
        "studies/grown": study,
    }
