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
        f"{counted(rows['query'].nunique(), 'query', 'queries')}, in rows by query."
    )
    yield from _ranges(rows, "value")
    if intervals:
        with_interval = rows.dropna(subset="ci_low")
        clear = ((with_interval["ci_low"] > 0) | (with_interval["ci_high"] < 0)).sum()
        yield f"{clear} of {len(with_interval)} intervals over target words exclude zero."
    missing = int(rows["value"].isna().sum())
    yield f"{missing} of {len(rows)} scores are undefined and marked so." if missing else ""


def ranks(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of bars of ranks."""
    source = rows["source"].iloc[0]
    yield (
        f"Ranks of {counted(rows['model'].nunique(), 'model')} by "
        f"{listed(in_order(rows['label_metric']))}, "
        f"from {source} scores; rank 1 is the weakest association."
    )
    for criterion, panel in rows.groupby("criterion", sort=False):
        first = panel[panel["rank"] == panel.groupby("metric")["rank"].transform("min")]
        parts = [
            f"{listed(in_order(best['label_model']))} by {metric} ({best['score'].iloc[0]:.3g})"
            for metric, best in first.groupby("label_metric", sort=False)
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
        defined = pairs.dropna(subset="correlation")
        count = f"{criterion}, {counted(int(panel['n_models'].max()), 'model')}"
        if defined.empty:
            yield f"{count}: no correlation is defined."
            continue
        low, high = defined["correlation"].min(), defined["correlation"].max()
        undefined = len(pairs) - len(defined)
        tail = f", {undefined} of {len(pairs)} pairs undefined" if undefined else ""
        yield f"{count}: from {low:.2f} to {high:.2f}{tail}."


def published(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of published values beside ours."""
    yield "Published values (open diamonds) and ours (filled marks), in rows by query or criterion."
    counts = rows["verdict"].value_counts()
    told = [f"{counts[v]} {v}" for v in in_order(rows["verdict"])]
    yield f"Of {counted(len(rows), 'number')}: {', '.join(told)}."
    comparable = rows.dropna(subset=["computed", "published"])
    if len(comparable):
        worst = comparable.loc[comparable["difference"].abs().idxmax()]
        yield (
            f"The largest difference is {worst['difference']:.2g}, of "
            f"{frames.query_label(worst['scope'])}: published {worst['published']:g}, ours "
            f"{worst['computed']:.3g}."
        )


def coverage(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of the map of lost words."""
    yield (
        f"Share of the words of {counted(rows['word_set'].nunique(), 'word set')} that each of "
        f"{counted(rows['model'].nunique(), 'model')} lacks."
    )
    for model, sets in rows.groupby("label_model", sort=False):
        worst = sets.loc[(sets["lost"] / sets["words"]).idxmax()]
        most = f"; most in {worst['word_set']}, {worst['lost']} of {worst['words']}"
        lost, words = sets["lost"].sum(), sets["words"].sum()
        yield f"{model} lacks {lost} of {words} words{most if worst['lost'] else ''}."


def probabilities(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of the probabilities of places."""
    yield "Probability of each model's place over resampled words, a stacked bar per model."
    ranked = rows.dropna(subset="expected_rank").drop_duplicates(["criterion", "metric", "model"])
    for (criterion, metric), group in ranked.groupby(["criterion", "label_metric"], sort=False):
        parts = [
            f"{r.label_model} {r.expected_rank:.2f} ({r.rank_low:g} to {r.rank_high:g})"
            for r in group.itertuples()
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
    for (criterion, metric), group in rows.groupby(["criterion", "label_metric"], sort=False):
        means = [f"{r.label_model} {r.mean_rank:.2f}" for r in group.itertuples()]
        test = group.iloc[0]
        p = f"; Friedman p {test['p_value']:.2g}" if pd.notna(test["p_value"]) else ""
        apart = (group["not_separated_from"] == "").sum()
        told = f"; {counted(apart, 'model')} told apart from all others" if apart else ""
        yield f"{criterion}, {metric}: {', '.join(means)}{p}{told}."


def words(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of the associations of words."""
    what, zero, _ = MEASURES[rows["measure"].iloc[0]]
    metric = rows["label_metric"].iloc[0]
    panels = rows.groupby(["query", "panel"], sort=False)
    yield (
        f"{metric}: {what}, of each target word, in {counted(panels.ngroups, 'panel')} of a query "
        f"each; a word at {zero:g} is as close to one side as to the other."
    )
    for number, ((_, title), panel) in enumerate(panels):
        defined = panel.dropna(subset="value")
        if number >= MOST_TOLD or defined.empty:
            continue
        top, bottom = defined.loc[defined["value"].idxmax()], defined.loc[defined["value"].idxmin()]
        yield (
            f"{title}: from {bottom['word']} ({bottom['value']:.2g}) to {top['word']} "
            f"({top['value']:.2g})."
        )
    rest = panels.ngroups - MOST_TOLD
    yield f"The other {counted(rest, 'panel')} are told in the table." if rest > 0 else ""


def before_and_after(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of values before and after."""
    models = in_order(rows["label_model"])
    before = frames.label(rows["before_model"].iloc[0])
    yield (
        f"Values before, in {before}, and after, in {listed(models)}, joined by lines, with "
        f"intervals; {counted(rows['query'].nunique(), 'query', 'queries')} in rows, metrics in "
        "columns."
    )
    for (model, metric), group in rows.groupby(["label_model", "label_metric"], sort=False):
        verdicts = group["verdict"].value_counts(sort=False)
        told = listed(f"{count} {name}" for name, count in verdicts.items())
        yield f"{model} by {metric}: {told}."


def shares(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """Of shares of negative sentiment."""
    yield (
        "Bars of each target word's share of the negative probability, with a line at the uniform "
        "share; models in rows, queries in columns."
    )
    for (metric, model, query), group in rows.groupby(["metric", "model", "query"], sort=False):
        least, most = group.loc[group["share"].idxmin()], group.loc[group["share"].idxmax()]
        yield (
            f"{frames.label(model)} by {frames.label(metric)}, {frames.query_label(query)}: from "
            f"{least['share']:.3f} ({least['word']}) to {most['share']:.3f} ({most['word']}), "
            f"uniform {1 / len(group):.3f}."
        )


def _ranges(rows: pd.DataFrame, column: str) -> Iterator[str]:
    for metric, group in rows.groupby("label_metric", sort=False):
        defined = group.dropna(subset=column)
        if defined.empty:
            yield f"{metric} is nowhere defined."
            continue
        low, high = defined.loc[defined[column].idxmin()], defined.loc[defined[column].idxmax()]
        yield (
            f"{metric} goes from {low[column]:.3g} ({low['query_label']}, {low['label_model']}) to "
            f"{high[column]:.3g} ({high['query_label']}, {high['label_model']})."
        )
