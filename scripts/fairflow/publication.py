"""Published numbers: the files that hold them, and what they say of each other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from fairflow.errors import FairflowError

FILE_COLUMNS = [
    "paper",
    "place",
    "model",
    "metric",
    "scope",
    "item",
    "measure",
    "value",
    "decimals",
    "tolerance",
    "draws",
    "erratum",
    "reproducible",
    "cause",
    "note",
]
NUMBER_COLUMNS = ("value", "decimals", "tolerance", "draws")
TEXT_COLUMNS = [name for name in FILE_COLUMNS if name not in NUMBER_COLUMNS]

# Why a published number is not expected from these vectors, lists and formulas. That one was drawn
# without a seed is no declaration: its `draws` are compared with ours.
CAUSES = (
    "list",
    "ddof",
    "method",
    "erratum",
    "vectors",
    "model version",
    "other measurement",
    "unverified",
    "unknown",
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
    FairflowError : a column is missing or unknown, a number is declared reproducible with neither
        yes nor no, or a cause is missing or unknown.
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
    kinds = dict.fromkeys(TEXT_COLUMNS, "string")
    frame = pd.read_csv(
        path,
        dtype=kinds,
        keep_default_na=False,
        na_values={name: [""] for name in NUMBER_COLUMNS},
    )
    missing = [name for name in FILE_COLUMNS if name not in frame]
    unknown = [name for name in frame if name not in FILE_COLUMNS]
    if missing or unknown:
        found = f"columns {', '.join(missing)} are missing" if missing else ""
        extra = f"columns {', '.join(unknown)} are unknown" if unknown else ""
        raise FairflowError(f"{path}: {'; '.join(filter(None, (found, extra)))}")
    declared = frame["reproducible"]
    _refuse(path, frame[~declared.isin(["yes", "no"])], "reproducible must be yes or no")
    _refuse(
        path,
        frame[
            (declared == "no")
            & ~frame["cause"].isin(CAUSES)
            & ((frame["cause"] != "") | frame["draws"].isna())
        ],
        f"a number that is not reproducible needs a cause, one of {', '.join(CAUSES)}, or draws",
    )
    _refuse(
        path,
        frame[(declared == "yes") & (frame["cause"] != "")],
        "a reproducible number has no cause",
    )
    _refuse(path, frame[frame["decimals"].isna()], "decimals are missing")
    frame = frame.astype(dict.fromkeys(TEXT_COLUMNS, object))
    frame.insert(0, "file", path.stem)
    return frame


def _refuse(path: Path, rows: pd.DataFrame, sentence: str) -> None:
    if len(rows):
        # The header is line 1.
        raise FairflowError(f"{path}, line {rows.index[0] + 2}: {sentence}")
