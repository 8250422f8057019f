"""Does a score follow how frequent its words are, rather than what they mean?

Frequent words have other vectors than rare ones, whatever they mean: Valentini, Rosati, Slezak and
Altszyler (2022), van Loon, Giorgi, Willer and Eichstaedt (2022).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtr

from fairflow.metrics.weat import DEGREES_OF_FREEDOM, WEAT, WEATStatistic, contrast, effect_size
from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.correlation import correlation_with_interval
from fairflow.statistics.permutation import ALTERNATIVES, exchange_p
from fairflow.statistics.rank_tests import ALPHA, holm
from fairflow.validity.evidence import Evidence, sets_of_query
from fairflow.vectors.directions import NOISE, unit
from fairflow.vectors.query_vectors import QueryVectors, WordVectors

# Fewer words with a frequency have no correlation.
FEWEST = 5
NOT_KNOWN = "its sets differ so much in frequency that its part is unknown"
COLUMNS = (
    *("model", "criterion", "query", "n_words", "r", "r_low", "r_high", "p_frequency"),
    *("value", "value_residual", "p_value", "p_residual", "changes", "reason"),
)


def frequency(evidence: Evidence, scores: pd.DataFrame) -> pd.DataFrame:
    """Association of target words compared with their frequency, and the score without it.

    n_words : target words with a frequency, of all target sets.
    r, r_low, r_high : correlation of their association (mean cosine with the words of the first
        attribute set minus that with the second) with log frequency, both as differences from the
        mean of their set, and its 95 % interval. p_frequency : of the slope within the sets.
    value : WEAT's effect size, by the convention of the study.
    value_residual : the same without what a line on log frequency explains. The line is fitted
        within the sets, to words of one meaning: a line through both sets takes away the difference
        of sets that differ in frequency, whether frequency plays a part or not.
    p_value : of the study, else a permutation test; where some target words have no frequency, of
        the others. p_residual : of the difference between the sets given frequency (analysis of
        covariance, Student's t). Both with the alternative of the study.
    changes : of scores with a p_value below 0.05. False where the score without frequency has the
        same sign and a p_residual below 0.05; True where it has not and p_frequency, adjusted
        (Holm) over such queries of a model, is below 0.05; None where it has not, but nothing shows
        that frequency plays a part. Where it plays none, at most 5 % of models have a score that
        changes (`tests/unit/validity/test_rates_of_grades.py`).
    reason : why a row has no numbers, no effect size, or no answer on changes; else "".

    A row for each model and query.

    Parameters
    ----------
    scores : the table of the study.
    """
    tested = weat_tests(scores).drop_duplicates(["model", "query"])
    tests = zip(tested["p_value"].astype(float), tested["alternative"].astype(str), strict=True)
    # The first of several tests.
    own = dict(zip(zip(tested["model"], tested["query"], strict=True), tests, strict=True))
    chosen = (one.parameters for one in evidence.metrics.values() if isinstance(one.metric, WEAT))
    conventions = [parameters.get("convention", "paper") for parameters in chosen]
    # The degrees of freedom of the study's effect size.
    freedom = next((DEGREES_OF_FREEDOM[n] for n in conventions if n in DEGREES_OF_FREEDOM), 1)
    rows = [
        names | _row(found, evidence.frequency, own.get((names["model"], names["query"])), freedom)
        for names, found in evidence.named_slices()
    ]
    return _with_changes(pd.DataFrame(rows, columns=list(COLUMNS)))


def _with_changes(table: pd.DataFrame) -> pd.DataFrame:
    clear = table[table["p_value"] < ALPHA]
    adjusted = clear.groupby("model")["p_frequency"].transform(lambda p: holm(p.to_numpy()))
    same_sign = np.sign(clear["value"]) == np.sign(clear["value_residual"])
    stays = same_sign & (clear["p_residual"] < ALPHA)
    open_ = clear.index[~stays & ~(adjusted < ALPHA)]
    table["changes"] = (~stays).drop(open_).astype(object).reindex(table.index)
    table.loc[open_, "reason"] = NOT_KNOWN
    return table.astype({"changes": "boolean"})


def _row(
    found: QueryVectors, known: Mapping[str, float], own: tuple[float, str] | None, freedom: int
) -> dict[str, Any]:
    """The numbers of a slice."""
    row: dict[str, Any] = {"n_words": 0}
    if len(found.attributes) != 2:
        return row | {"reason": "two attribute sets are needed"}
    targets, attributes, reason = sets_of_query(found)
    if reason:
        return row | {"reason": reason}
    direction = contrast(attributes[0].vectors, attributes[1].vectors)
    log = np.concatenate([_frequencies(target, known) for target in targets])
    value = np.concatenate([unit(target.vectors) @ direction for target in targets])
    set_of = np.repeat(np.arange(len(targets)), [len(target.words) for target in targets])
    names = Counter(word for target in targets for word in target.words)
    # The test leaves a word of several sets where it is.
    free = np.array([names[word] == 1 for target in targets for word in target.words])
    has = ~np.isnan(log)
    log, value, set_of, free = (each[has] for each in (log, value, set_of, free))
    row["n_words"] = len(log)
    if len(log) < FEWEST:
        return row | {"reason": f"fewer than {FEWEST} target words have a frequency"}
    within, of_log = (_within(each, set_of) for each in (value, log))
    row["r"], row["r_low"], row["r_high"] = correlation_with_interval(within, of_log)
    if math.isnan(row["r"]):
        return row | {"reason": "the words of a set do not differ in frequency or association"}
    if len(targets) != 2 or {*set_of} != {0, 1}:
        return row | {"reason": "two target sets are needed"}
    sides, (p_value, alternative) = (set_of == 0, set_of == 1), own or (math.nan, "two-sided")
    rest, p_frequency, p_residual = without_frequency(value, log, sides[0], alternative)
    if _within(rest, set_of).std() <= NOISE * value.std():
        return row | {"reason": "frequency explains every difference of the words"}
    sizes = [effect_size(each[sides[0]], each[sides[1]], freedom) for each in (value, rest)]
    if not own or not has.all():
        p_value = exchange_p(value[sides[0] & free], value[sides[1] & free], alternative)
    row |= {"value": sizes[0], "value_residual": sizes[1], "p_value": p_value}
    return row | {"p_frequency": p_frequency, "p_residual": p_residual, "reason": ""}


def without_frequency(
    values: np.ndarray, log: np.ndarray, is_first: np.ndarray, alternative: str = "two-sided"
) -> tuple[np.ndarray, float, float]:
    """Values without a line on log frequency fitted within two sets, and the p of both.

    Parameters
    ----------
    values, log : (words,). is_first : (words,), whether a word is of the first set.

    Returns
    -------
    the rest of the values (words,), with the difference of the sets ; p of the line, two-sided ;
    p of the difference given the line, by `alternative`. Each from Student's t.
    """
    design = np.column_stack([np.ones(len(values)), is_first, log])
    inverse = np.linalg.pinv(design.T @ design)
    _, difference, slope = weights = inverse @ design.T @ values
    freedom = len(values) - design.shape[1]
    variance = ((values - design @ weights) ** 2).sum() / freedom
    errors = np.sqrt(variance * np.diag(inverse)[1:])
    t = np.divide([difference, slope], errors, out=np.full(2, math.inf), where=errors > 0)
    upper, lower = stdtr(freedom, -t), stdtr(freedom, t)
    p = dict(zip(ALTERNATIVES, (upper, lower, 2 * np.minimum(upper, lower)), strict=True))
    rest = values - slope * (log - log.mean())
    return rest, float(p["two-sided"][1]), float(p[alternative][0])


def _within(values: np.ndarray, set_of: np.ndarray) -> np.ndarray:
    """Values as differences from the mean of their set."""
    counts = np.maximum(np.bincount(set_of), 1)
    return values - (np.bincount(set_of, values) / counts)[set_of]


def _frequencies(words: WordVectors, known: Mapping[str, float]) -> np.ndarray:
    """Log frequency of each form, or of the word that it was found for; NaN if neither has one."""
    asked = dict(zip(words.form_of, words.asked, strict=False))
    names = ((form.lower(), asked.get(form, form).lower()) for form in words.words)
    return np.array([known.get(form, known.get(word, math.nan)) for form, word in names], float)


def weat_tests(scores: pd.DataFrame) -> pd.DataFrame:
    """One row of scores for each model, query and alternative with WEAT's test."""
    if "p_statistic" not in scores:
        return pd.DataFrame(columns=["model", "query", "p_value", "alternative"])
    rows = ranked_rows(scores).dropna(subset="p_value")
    tested = rows[rows["p_statistic"] == WEATStatistic.tested]
    return tested.drop_duplicates(["model", "query", "alternative"])
