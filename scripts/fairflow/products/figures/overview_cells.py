"""What an overview shows of each (sub-)query and model, as rows and in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from fairflow.products.figures.study_frames import StudyFrames, in_order
from fairflow.statistics.friedman import ALPHA
from fairflow.studies.wording import counted, listed

EFFECT = "effect_size"
_NAMES = ["criterion", "query", "query_label", "subquery", "metric", "measure", "model"]
_FACTS = ["value", "n_words", "n_lost", "p_value", "p_holm", "random_low", "random_high"]
_TEXTS = ["family", "status", "reason"]


def cells(frames: StudyFrames) -> pd.DataFrame:
    """The scores of one metric: the first whose measure is an effect size, else the first.

    Returns
    -------
    Columns criterion, query, query_label, subquery (its name, with the query's where two have the
    same), metric, measure, model, value, n_words, n_lost, p_value, p_holm, random_low, random_high,
    family, status, reason, survives (p_holm is below 0.05) and beyond (the value lies outside the
    band of random words).
    """
    scores = frames.scores.reindex(columns=[*_NAMES, *_FACTS, *_TEXTS])
    if scores.empty:
        return scores
    effects = scores.loc[scores["measure"] == EFFECT, "metric"]
    rows = scores[scores["metric"] == in_order([*effects, *scores["metric"]])[0]]
    rows = rows.assign(**{name: rows[name].astype(float) for name in _FACTS})
    several = rows.groupby("query")["subquery"].transform("nunique") > 1
    labels = rows["query"].map({q: frames.query_label(q) for q in in_order(rows["query"])})
    names = rows["subquery"].where(several, labels)
    twice = names.groupby(names).transform(lambda same: rows.loc[same.index, "query"].nunique()) > 1
    names = names.where(~twice | ~several, names + " [" + rows["query"] + "]")
    value = rows["value"]
    beyond = (value < rows["random_low"]) | (value > rows["random_high"])
    return rows.assign(subquery=names, survives=rows["p_holm"] < ALPHA, beyond=beyond)


def claims(rows: pd.DataFrame) -> Iterator[str]:
    """How many cells there are, what is sure of them, and why some are empty; in sentences."""
    defined = rows.dropna(subset="value")
    tested, banded = defined.dropna(subset="p_holm"), defined.dropna(subset="random_low")
    n_tests, n_models = rows["subquery"].nunique(), rows["model"].nunique()
    yield (
        f"{counted(n_tests, 'test')} x {counted(n_models, 'model')}: {len(defined)} of {len(rows)} "
        "cells have a value."
    )
    if len(tested):
        yield (
            f"{tested['survives'].sum()} of {len(tested)} tested values have p < {ALPHA:g} after "
            "Holm's correction within their family."
        )
    if len(banded):
        yield (
            f"{banded['beyond'].sum()} of {len(banded)} values with a band of random words lie "
            "beyond it."
        )
    missing = rows.loc[rows["value"].isna(), "status"].fillna("not scored")
    if len(missing):
        counts = missing.str.replace("_", " ").replace("ok", "undefined").value_counts()
        yield f"Without value: {listed(f'{name} ({n})' for name, n in counts.items())}."


def told(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """The map in sentences."""
    yield (
        f"Map of {rows['label_metric'].iloc[0]}, queries in rows and models in columns, with marks "
        "for what survives correction and what lies beyond the band of random words."
    )
    yield from claims(rows)
    for model, own in rows.groupby("label_model", sort=False):
        defined = own.dropna(subset="value")
        if defined.empty:
            yield f"{model}: no value."
            continue
        most = defined.loc[defined["value"].abs().idxmax()]
        mean = np.abs(defined["value"]).mean()
        yield f"{model}: mean size {mean:.2f}, most {most['value']:.2f} ({most['subquery']})."
