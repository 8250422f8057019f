"""What each figure shows, in sentences with its main numbers, for those who do not see it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from fairflow.products.figures import FIGURES
from fairflow.products.figures.figure_sources import source_data
from fairflow.products.figures.ranked_models import control_notes
from fairflow.products.figures.study_frames import StudyFrames, in_order
from fairflow.products.figures.word_panels import MEASURES
from fairflow.studies.wording import counted, listed

# Extremes that are told; a longer list is for the table.
MOST_TOLD = 12


def alt_text(figure: str, frames: StudyFrames) -> str:
    """Sentences on one line; the first says what is shown and can stand as a caption."""
    rows = source_data(figure, frames)
    if rows.empty:
        return f"{figure.replace('_', ' ').capitalize()}: this study has nothing to show here.\n"
    return " ".join(filter(None, FIGURES[figure].load("told")(frames, rows))) + "\n"


def scores(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of score bars, forest plots and scores of items."""
    models, metrics = in_order(rows["label_model"]), in_order(rows["label_metric"])
    intervals = "ci_low" in rows and rows["ci_low"].notna().any()
    with_them = ", with intervals and the bands of random words," if intervals else ""
    yield (
        f"Scores{with_them} of {listed(models)} by {listed(metrics)} on "
        f"{rows['query'].nunique()} queries, in rows by query."
    )
    yield from _ranges(rows, "value")
    if intervals:
        known = rows.dropna(subset="ci_low")
        clear = ((known["ci_low"] > 0) | (known["ci_high"] < 0)).sum()
        yield f"{clear} of {len(known)} intervals over target words exclude zero."
    missing = int(rows["value"].isna().sum())
    yield f"{missing} of {len(rows)} scores are undefined and marked so." if missing else ""


def ranks(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of bars of ranks."""
    source = rows["source"].iloc[0]
    yield (
        f"Ranks of {rows['model'].nunique()} models by {listed(in_order(rows['label_metric']))}, "
        f"from {source} scores; rank 1 is the weakest association."
    )
    for criterion, panel in rows.groupby("criterion", sort=False):
        first = panel[panel["rank"] == panel.groupby("metric")["rank"].transform("min")]
        parts = [
            f"{listed(in_order(own['label_model']))} by {metric} ({own['score'].iloc[0]:.3g})"
            for metric, own in first.groupby("label_metric", sort=False)
        ]
        yield f"{criterion}: first is {'; '.join(parts)}." if parts else f"{criterion}: no ranks."
    missing = rows.loc[rows["rank"].isna(), "label_model"].nunique()
    yield f"{counted(missing, 'model')} without a rank somewhere." if missing else ""
    if source == "computed":
        yield from control_notes(frames, rows["model"])


def correlations(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of heat maps."""
    yield (
        f"{rows['method'].iloc[0].capitalize()} correlations between the {rows['source'].iloc[0]} "
        "rankings of models by two metrics, a heat map per criterion."
    )
    for criterion, panel in rows.groupby("criterion", sort=False):
        pairs = panel[panel["metric_row"] < panel["metric_column"]]
        known = pairs.dropna(subset="correlation")
        count = f"{criterion}, {counted(int(panel['n_models'].max()), 'model')}"
        if known.empty:
            yield f"{count}: no correlation is defined."
            continue
        low, high = known["correlation"].min(), known["correlation"].max()
        undefined = len(pairs) - len(known)
        tail = f", {undefined} of {len(pairs)} pairs undefined" if undefined else ""
        yield f"{count}: from {low:.2f} to {high:.2f}{tail}."


def published(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of published values beside ours."""
    yield "Published values (open diamonds) and ours (filled marks), in rows by query or criterion."
    counts = rows["verdict"].value_counts()
    told = [f"{counts[v]} {v}" for v in in_order(rows["verdict"])]
    yield f"Of {counted(len(rows), 'number')}: {', '.join(told)}."
    known = rows.dropna(subset=["computed", "published"])
    if len(known):
        worst = known.loc[known["difference"].abs().idxmax()]
        yield (
            f"The largest difference is {worst['difference']:.2g}, of "
            f"{frames.query_label(worst['scope'])}: published {worst['published']:g}, ours "
            f"{worst['computed']:.3g}."
        )


def coverage(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of the map of lost words."""
    yield (
        f"Share of the words of {rows['word_set'].nunique()} word sets that each of "
        f"{counted(rows['model'].nunique(), 'model')} lacks."
    )
    for model, own in rows.groupby("label_model", sort=False):
        worst = own.loc[(own["lost"] / own["words"]).idxmax()]
        most = f"; most in {worst['word_set']}, {worst['lost']} of {worst['words']}"
        lost, words = own["lost"].sum(), own["words"].sum()
        yield f"{model} lacks {lost} of {words} words{most if worst['lost'] else ''}."


def probabilities(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of the probabilities of places."""
    yield "Probability of each model's place over resampled words, a stacked bar per model."
    known = rows.dropna(subset="expected_rank").drop_duplicates(["criterion", "metric", "model"])
    for (criterion, metric), own in known.groupby(["criterion", "label_metric"], sort=False):
        parts = [
            f"{r.label_model} {r.expected_rank:.2f} ({r.rank_low:g} to {r.rank_high:g})"
            for r in own.itertuples()
        ]
        yield f"{criterion}, {metric}: expected ranks {', '.join(parts)}."
    missing = rows[rows["expected_rank"].isna()]
    where = missing.drop_duplicates(["criterion", "metric", "model"])
    yield f"{len(where)} bars are empty: the model is not ranked there." if len(where) else ""


def differences(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of critical-difference diagrams."""
    yield "Mean ranks of models over queries, with bold lines joining models not told apart."
    if "mean_rank" not in rows:
        return
    for (criterion, metric), own in rows.groupby(["criterion", "label_metric"], sort=False):
        means = [f"{r.label_model} {r.mean_rank:.2f}" for r in own.itertuples()]
        test = own.iloc[0]
        p = f"; Friedman p {test['p_value']:.2g}" if pd.notna(test["p_value"]) else ""
        apart = (own["not_separated_from"] == "").sum()
        told = f"; {counted(apart, 'model')} told apart from all others" if apart else ""
        yield f"{criterion}, {metric}: {', '.join(means)}{p}{told}."


def words(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of the associations of words."""
    what, zero = MEASURES[rows["measure"].iloc[0]]
    metric = rows["label_metric"].iloc[0]
    panels = rows.groupby(["query", "panel"], sort=False)
    yield f"{metric}: {what}, of each target word, a panel for each of {panels.ngroups} queries."
    for place, ((_, title), own) in enumerate(panels):
        known = own.dropna(subset="value")
        if place >= MOST_TOLD or known.empty:
            continue
        top, bottom = known.loc[known["value"].idxmax()], known.loc[known["value"].idxmin()]
        yield (
            f"{title}: from {bottom['word']} ({bottom['value']:.2g}) to {top['word']} "
            f"({top['value']:.2g})."
        )
    rest = panels.ngroups - MOST_TOLD
    yield f"{rest} further panels are in the table." if rest > 0 else ""
    yield f"No side is taken at {zero:g}."


def shares(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of shares of negative sentiment."""
    yield (
        "Bars of each target word's share of the negative probability, with a line at the uniform "
        "share; models in rows, queries in columns."
    )
    for (metric, model, query), own in rows.groupby(["metric", "model", "query"], sort=False):
        least, most = own.loc[own["share"].idxmin()], own.loc[own["share"].idxmax()]
        yield (
            f"{frames.label(model)} by {frames.label(metric)}, {frames.query_label(query)}: from "
            f"{least['share']:.3f} ({least['word']}) to {most['share']:.3f} ({most['word']}), "
            f"uniform {1 / len(own):.3f}."
        )


def _ranges(rows: pd.DataFrame, column: str) -> Iterator[str]:
    for metric, own in rows.groupby("label_metric", sort=False):
        known = own.dropna(subset=column)
        if known.empty:
            yield f"{metric} is nowhere defined."
            continue
        low, high = known.loc[known[column].idxmin()], known.loc[known[column].idxmax()]
        yield (
            f"{metric} goes from {low[column]:.3g} ({low['query_label']}, {low['label_model']}) to "
            f"{high[column]:.3g} ({high['query_label']}, {high['label_model']})."
        )
