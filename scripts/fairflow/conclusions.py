"""What may and what may not be concluded from a study, in one paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

ALPHA = 0.05


@dataclass(frozen=True)
class Units:
    """How a paragraph speaks of what is resampled, and of what a score is."""

    few: str
    drawn: str
    drawn_both: str
    meaning: str


WORDS = Units(
    few="sets of fewer than ten words",
    drawn="other target words been chosen",
    drawn_both="the attribute words been others too",
    meaning="an association in its vectors with these words",
)
ITEMS = Units(
    few="fewer than ten items or templates",
    drawn="other items been written",
    drawn_both="the templates been others too",
    meaning="what it makes of these sentences and prompts",
)


def conclusions(
    title: str,
    scores: pd.DataFrame,
    ranking: pd.DataFrame,
    pairwise: pd.DataFrame,
    friedman: pd.DataFrame,
    scale: pd.DataFrame,
    labels: Mapping[str, str],
    signed: Iterable[str],
    of_items: Iterable[str] = (),
) -> str:
    """A paragraph of Markdown under the study's title.

    Parameters
    ----------
    scores, ranking, pairwise, friedman, scale : tables of the study.
    labels : of models and metrics. signed : the metrics whose value 0 means no association.
    of_items : the metrics that measure sentences, pairs and prompts, not vectors.
    """
    headline = scores[scores["headline"]]
    own = headline["metric"].isin(list(of_items))
    is_signed = headline["metric"].isin(list(signed))
    measured = {WORDS: headline[~own], ITEMS: headline[own]}
    parts = {units: rows for units, rows in measured.items() if len(rows)}
    sentences = [
        _what_was_compared(headline, ranking, labels),
        _undefined(headline),
        _tests(headline),
        *(_few(rows, units) for units, rows in parts.items()),
        *(_intervals(rows[is_signed[rows.index]], units) for units, rows in parts.items()),
        _random_sets(headline),
        _told_apart(pairwise, labels),
        _critical_difference(friedman),
        _scale(scale[~scale["metric"].isin(list(of_items))], labels),
        "What follows for people who use a model is not measured here: a score is "
        f"{' or '.join(units.meaning for units in parts)}, queries that share words do not count "
        "separately, and a small score does not show that a model is free of bias.",
    ]
    return f"## {title}\n\n{' '.join(filter(None, sentences))}\n"


def _what_was_compared(
    headline: pd.DataFrame, ranking: pd.DataFrame, labels: Mapping[str, str]
) -> str:
    models, metrics = headline["model"].unique(), headline["metric"].unique()
    computed = ranking[ranking["source"] == "computed"]
    ranked = computed.dropna(subset="rank").groupby("criterion", sort=False)["model"].nunique()
    numbers = ", ".join(f"{criterion} {count}" for criterion, count in ranked.items())
    return (
        f"{_count(len(models), 'model')} {_were(len(models))} measured by "
        f"{_listed(labels[m] for m in metrics)} on "
        f"{_count(headline['query'].nunique(), 'query', 'queries')}. "
        f"Models that define enough queries to be ranked: {numbers or 'none'}; with so few, "
        "correlations of rankings say little."
    )


def _undefined(headline: pd.DataFrame) -> str:
    missing = int(headline["value"].isna().sum())
    if not missing:
        return "Every score is defined."
    return f"{missing} of {len(headline)} scores are undefined, each with its reason in the table."


def _tests(headline: pd.DataFrame) -> str:
    tested = headline.dropna(subset="p_value")
    if tested.empty:
        return "No test was asked for, so that nothing can be said about chance."
    below = {name: int((tested[name] < ALPHA).sum()) for name in ("p_value", "p_holm", "p_bh")}
    return (
        f"Of {len(tested)} permutation tests {below['p_value']} have p < {ALPHA}, "
        f"{below['p_bh']} with the false discovery rate of their family controlled "
        f"(Benjamini-Hochberg) and {below['p_holm']} with its chance of any error (Holm); the "
        "others do not show that there is no association."
    )


def _few(headline: pd.DataFrame, units: Units) -> str:
    few = int((headline["statistics"] == "few_words").sum())
    return f"{few} scores rest on {units.few}, whose intervals are too short." if few else ""


def _intervals(signed: pd.DataFrame, units: Units) -> str:
    known = signed.dropna(subset="ci_low")
    if known.empty:
        return ""
    targets = _excluding_zero(known, "ci_low", "ci_high")
    sentence = (
        f"Had {units.drawn}, {targets} of {len(known)} signed scores would keep their sign (95% "
        "intervals)"
    )
    both = known.dropna(subset="ci_low_both")
    if both.empty:
        return sentence + "."
    kept = _excluding_zero(both, "ci_low_both", "ci_high_both")
    return f"{sentence}; had {units.drawn_both}, {kept} of {len(both)}."


def _excluding_zero(rows: pd.DataFrame, low: str, high: str) -> int:
    return int(((rows[low] > 0) | (rows[high] < 0)).sum())


def _random_sets(headline: pd.DataFrame) -> str:
    known = headline.dropna(subset="p_random")
    if known.empty:
        return ""
    inside = int((known["p_random"] >= ALPHA).sum())
    return (
        f"{inside} of {len(known)} scores are no further out than those of random target words of "
        "similar frequency, and should not be read as more."
    )


def _told_apart(pairwise: pd.DataFrame, labels: Mapping[str, str]) -> str:
    tested = pairwise.dropna(subset="wilcoxon_holm")
    if tested.empty:
        return "No two models could be compared over queries."
    apart = tested[tested["wilcoxon_holm"] < ALPHA]
    if apart.empty:
        return (
            "No two models can be told apart over the queries of any criterion by any metric "
            "(Wilcoxon signed-rank tests, Holm-adjusted): their order may be chance."
        )
    places = apart.drop_duplicates(["criterion", "metric"])
    where = [f"{r.criterion} by {labels[r.metric]}" for r in places.itertuples()]
    return (
        f"Some two models can be told apart over queries in {_listed(where)} (Wilcoxon signed-rank "
        "tests, Holm-adjusted); elsewhere the order of models may be chance."
    )


def _critical_difference(friedman: pd.DataFrame) -> str:
    known = friedman.dropna(subset="critical_difference")
    if known.empty:
        return "Friedman's test needs three ranked models, so there is no critical difference."
    parts = [
        f"{r.criterion}: {r.critical_difference:.2f} for {r.n_models} models on {r.n_queries}"
        for r in known.drop_duplicates(["criterion", "n_models", "n_queries"]).itertuples()
    ]
    return (
        "Mean ranks that differ by less than the critical difference are not told apart "
        f"({'; '.join(parts)} (sub-)queries)."
    )


def _scale(scale: pd.DataFrame, labels: Mapping[str, str]) -> str:
    scaling = scale[scale["scales_with_length"]]
    others = [labels[m] for m in scale.loc[~scale["scales_with_length"], "metric"].unique()]
    sentences = []
    if len(scaling):
        names = _listed(labels[m] for m in scaling["metric"].unique())
        explained = scaling["norm_explains"].dropna()
        extent = (
            f"; there the mean length alone explains {explained.min():.0%} to "
            f"{explained.max():.0%} of the variance of ranks"
            if len(explained)
            else ""
        )
        sentences.append(
            f"Values of {names} grow with the length of vectors and are not comparable between "
            f"models as they are{extent}."
        )
    if others:
        sentences.append(
            f"Values of {_listed(others)} do not depend on length; they may be compared in "
            "direction, while equal sizes need not mean equal bias (Schroeder et al. 2024)."
        )
    return " ".join(sentences)


def _count(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _listed(names: Iterable[str]) -> str:
    items: Sequence[str] = list(names)
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""
