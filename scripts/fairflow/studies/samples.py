"""How many of the items of a query were asked about, where it was a sample of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from fairflow.studies.wording import listed


def sample_text(n_items: float, sampled_from: float | None) -> str:
    """'40 of 112 items'; empty for what is no sample."""
    return "" if pd.isna(sampled_from) else f"{n_items:,.0f} of {sampled_from:,.0f} items"


def sample_texts(scores: pd.DataFrame) -> list[str | None]:
    """`sample_text` of each row of a study's scores, None for what is no sample."""
    if "sampled_from" not in scores:
        return [None] * len(scores)
    numbers = zip(scores["n_words"], scores["sampled_from"], strict=True)
    return [sample_text(*of_row) or None for of_row in numbers]


def sample_sentences(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """One sentence on all queries of which a sample was asked about; none without such."""
    if "sampled_from" not in headline or headline["sampled_from"].isna().all():
        return
    told = []
    for query, rows in headline.groupby("query", sort=False):
        if rows["sampled_from"].notna().any():
            # Scores by category have a row for each.
            parts = rows[rows["metric"] == rows["metric"].iloc[0]].drop_duplicates("subquery")
            of_all = parts["sampled_from"].fillna(parts["n_words"]).sum()
            text = sample_text(parts["n_words"].sum(), of_all)
            told.append(f"{text} of {labels.get(query, query)}")
    yield (
        "A sample of items was asked about, drawn with the run's seed and the same for every "
        f"model and metric: {listed(told)}. Intervals tell what other items would have given."
    )
