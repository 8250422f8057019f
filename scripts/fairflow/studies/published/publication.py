"""Published numbers: the files that hold them, and what they say of each other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from fairflow.errors import FairflowError
from fairflow.studies.published.published_file import (
    FILE_COLUMNS,
    NUMBER_COLUMNS,
    TEXT_COLUMNS,
    published_problems,
)

# Measures that follow from other published numbers.
RANK, RANK_SUM = "rank", "sum of ranks"
CORRELATIONS = ("spearman", "kendall")
DERIVED = (RANK, RANK_SUM, *CORRELATIONS)


def read_published(paths: str | Path | Iterable[str | Path] | None) -> pd.DataFrame:
    """Files of published numbers as one frame with the further column `file`.

    Cells of text that are empty hold ""; an empty `value` is a number published as undefined.

    Raises
    ------
    FairflowError : naming every fault of the first file that has one, see `published_problems`.
    """
    paths = [] if paths is None else [paths] if isinstance(paths, (str, Path)) else list(paths)
    frames = [_read(Path(path)) for path in paths]
    empty = pd.DataFrame(columns=["file", *FILE_COLUMNS])
    return pd.concat(frames, ignore_index=True) if frames else empty


def printed_scores(published: pd.DataFrame) -> pd.DataFrame:
    """Scores of models with the ranks printed for them, each model, metric and scope once.

    Of several places in a publication the first counts; a rank that is an erratum is left out.

    Returns
    -------
    Columns model, metric, scope, value, rank (NaN where none is printed).
    """
    keys = ["model", "metric", "scope"]
    usable = published[(published["item"] == "") & published["value"].notna()]
    scores = usable[~usable["measure"].isin(["p_value", *DERIVED])].drop_duplicates(keys)
    ranks = usable[(usable["measure"] == RANK) & (usable["erratum"] == "")].drop_duplicates(keys)
    ranks = ranks[[*keys, "value"]].rename(columns={"value": "rank"})
    return scores[[*keys, "value"]].merge(ranks, on=keys, how="left")


def _read(path: Path) -> pd.DataFrame:
    problems = published_problems(path)
    if problems:
        raise FairflowError("\n".join(problems))
    frame = pd.read_csv(
        path,
        dtype=dict.fromkeys(TEXT_COLUMNS, "string"),
        keep_default_na=False,
        na_values={name: [""] for name in NUMBER_COLUMNS},
    )
    frame = frame.astype(dict.fromkeys(TEXT_COLUMNS, object))
    frame.insert(0, "file", path.stem)
    return frame
