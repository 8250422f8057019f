"""The numbers behind each figure, as a table that a reader can plot again."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from fairflow.products.figures import FIGURES
from fairflow.products.figures.mean_rank_facets import facet
from fairflow.products.figures.negative_sentiment import negative_shares
from fairflow.products.figures.published_comparison import comparable_rows
from fairflow.products.figures.score_bars import query_means
from fairflow.products.figures.study_frames import StudyFrames, rows_of_source
from fairflow.products.figures.word_panels import word_panels
from fairflow.studies.wording import shortened

_NAMES = ["criterion", "query", "query_label", "subquery", "metric", "model"]
_FOREST = ["value", "ci_low", "ci_high", "ci_low_both", "ci_high_both", "ci_level", "random_low"]
_FOREST += ["random_high", "random_source", "n_words", "n_lost", "sampled_from", "status", "reason"]
_REASONS = ["reason", "statistics_note"]
_FOREST += ["statistics", "statistics_note"]


def source_data(figure: str, frames: StudyFrames) -> pd.DataFrame:
    """What a figure of `FIGURES` is drawn from.

    All rows are there, also those that a figure leaves out for want of space. The `label_...`
    columns repeat names as the figure prints them.
    """
    rows = FIGURES[figure].load("rows")(frames).reset_index(drop=True)
    for name in ("metric", "model"):
        if name in rows:
            rows[f"label_{name}"] = [_label(frames, value) for value in rows[name]]
    return rows


def forest_source(frames: StudyFrames) -> pd.DataFrame:
    """Every headline score with its intervals, band and reason, without long lists of words."""
    rows = frames.scores.reindex(columns=[*_NAMES, *_FOREST])
    short = {name: rows[name].map(shortened, na_action="ignore") for name in _REASONS}
    return rows.assign(**short)


def bars_source(frames: StudyFrames) -> pd.DataFrame:
    """Means over defined sub-queries."""
    if frames.scores.empty:
        return pd.DataFrame()
    means = query_means(frames.scores).reset_index()
    criteria = frames.scores[["criterion", "query", "query_label"]].drop_duplicates()
    rows = criteria.merge(means, on="query", how="left")
    names = {"mean": "value", "defined": "n_defined", "all": "n_subqueries"}
    counts = {"n_defined": int, "n_subqueries": int}
    return rows.rename(columns=names).astype(counts)


def words_source(frames: StudyFrames) -> pd.DataFrame:
    """Words of the panels, the largest value first; a lost word has no value."""
    shown = word_panels(frames)
    rows = [
        {
            "query": panel.query,
            "panel": panel.title,
            "metric": shown.metric,
            "measure": shown.measure,
            "model": panel.model,
            "target_set": word.place + 1,
            "word": word.word,
            "value": word.value,
            "reason": "" if word.value == word.value else "lost",
        }
        for panel in (shown.panels if shown else ())
        for word in (*panel.words, *panel.lost)
    ]
    return pd.DataFrame(rows)


def ranking_source(source: str) -> Callable[[StudyFrames], pd.DataFrame]:
    """Scores and ranks, computed or published."""
    return lambda frames: rows_of_source(frames.ranking, source)


def correlation_source(source: str) -> Callable[[StudyFrames], pd.DataFrame]:
    """Correlations by the first method, the one that is drawn."""

    def rows(frames: StudyFrames) -> pd.DataFrame:
        drawn = rows_of_source(frames.correlations, source)
        return drawn if drawn.empty else drawn[drawn["method"] == drawn["method"].iloc[0]]

    return rows


def published_source(frames: StudyFrames) -> pd.DataFrame:
    """Published values of models of the study, with ours."""
    return comparable_rows(frames.published).drop(columns="key", errors="ignore")


def probabilities_source(frames: StudyFrames) -> pd.DataFrame:
    """The probability of each place; models without draws keep a row with their note."""
    if frames.rank_probabilities.empty:
        return frames.rank_uncertainty
    keys = ["criterion", "metric", "model"]
    return frames.rank_uncertainty.merge(frames.rank_probabilities, on=keys, how="left")


def difference_source(frames: StudyFrames) -> pd.DataFrame:
    """Mean ranks with the test of their criterion and metric, and who is not told apart."""
    if frames.mean_ranks.empty:
        return frames.friedman
    tests = frames.friedman.drop(columns="n_queries")
    rows = frames.mean_ranks.merge(tests, on=["criterion", "metric"], how="left")
    groups = {
        (test["criterion"], test["metric"]): facet(frames, test).joined
        for test in frames.friedman.to_dict("records")
    }
    together = [
        sorted({other for group in groups[c, m] if model in group for other in group} - {model})
        for c, m, model in rows[["criterion", "metric", "model"]].itertuples(index=False)
    ]
    return rows.assign(not_separated_from=[" ".join(models) for models in together])


def coverage_source(frames: StudyFrames) -> pd.DataFrame:
    """Lost words of each word set and model."""
    return frames.coverage


def shares_source(frames: StudyFrames) -> pd.DataFrame:
    """Each word's share of the negative probability."""
    return negative_shares(frames.scores)


computed_ranking = ranking_source("computed")
published_ranking = ranking_source("published")
computed_correlations = correlation_source("computed")
published_correlations = correlation_source("published")


def _label(frames: StudyFrames, name: object) -> str:
    return frames.label(name) if isinstance(name, str) else ""
