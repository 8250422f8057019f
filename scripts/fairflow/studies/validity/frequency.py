"""Does a score follow how frequent its words are, rather than what they mean?

Frequent words have other vectors than rare ones, whatever they mean: Valentini, Rosati, Slezak and
Altszyler (2022), van Loon, Giorgi, Willer and Eichstaedt (2022).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.metrics.weat import DEGREES_OF_FREEDOM, WEAT, contrast, effect_size
from fairflow.statistics.correlation import correlation_with_interval
from fairflow.statistics.permutation import exchange_p
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.validity.evidence import Evidence, sets_of_query
from fairflow.studies.validity.power import weat_tests
from fairflow.vectors.directions import NOISE, unit
from fairflow.vectors.query_vectors import QueryVectors, WordVectors

# Fewer words with a frequency have no correlation.
FEWEST = 5
COLUMNS = (
    *("model", "criterion", "query", "n_words", "r", "r_low", "r_high", "r_norm"),
    *("value", "value_residual", "p_value", "p_residual", "sign_changes", "verdict_changes"),
    "reason",
)


class _Own(NamedTuple):
    """What the study says of a score: its p-value and the alternative of its test."""

    p_value: float
    alternative: str


def frequency(evidence: Evidence, scores: pd.DataFrame) -> pd.DataFrame:
    """Association of target words compared with their frequency, and the score without it.

    n_words : target words with a frequency, of all target sets.
    r, r_low, r_high : correlation of their association (mean cosine with the words of the first
        attribute set minus that with the second) with log frequency, and its 95 % interval.
    r_norm : the same over the words of the largest norm that were looked up in the model.
    value : WEAT's effect size, by the convention of the study.
    value_residual : the same of what a line on log frequency leaves of the associations. The line
        is fitted to the words of both sets together, for it is the null hypothesis that frequency
        explains all and the set nothing: then the rest can be exchanged between sets (Freedman and
        Lane 1983). Of sets that also differ in frequency it takes what frequency could explain.
    p_value, p_residual : permutation tests of both with the alternative of the study, p_value from
        its scores. Where some target words have no frequency, value and p_value are of the others.
    sign_changes, verdict_changes : whether value and value_residual differ in sign, and whether one
        of them is significant at 0.05 and the other is not; None where that is unknown.
    reason : why a row has no numbers, or no effect size; else "".

    A row for each model and query.

    Parameters
    ----------
    scores : the table of the study.
    """
    own = _own_tests(scores)
    freedom = _convention(evidence)
    rows: list[dict[str, Any]] = []
    for model in evidence.models:
        directions = {}
        for query in (query for of, query in evidence.slices if of == model):
            found = evidence.slices[model, query]
            row, direction = _row(found, evidence.frequency, own.get((model, query)), freedom)
            about = {"model": model, "criterion": evidence.criteria.get(query, ""), "query": query}
            rows.append(about | row)
            if direction is not None:
                directions[len(rows) - 1] = direction
        of_norm = _correlations_of_norm(evidence, model, [*directions.values()])
        for place, r in zip(directions, of_norm, strict=True):
            rows[place]["r_norm"] = r
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _own_tests(scores: pd.DataFrame) -> Mapping[tuple[str, str], _Own]:
    """Model and query -> p-value and alternative of WEAT's test, the first of several."""
    rows = weat_tests(scores).drop_duplicates(["model", "query"])
    columns = (rows[name] for name in ("model", "query", "p_value", "alternative"))
    return {
        (model, query): _Own(float(p), str(side))
        for model, query, p, side in zip(*columns, strict=True)
    }


def _convention(evidence: Evidence) -> int:
    """The degrees of freedom of the study's effect size."""
    chosen = (one.parameters for one in evidence.metrics.values() if isinstance(one.metric, WEAT))
    names = (parameters.get("convention", "paper") for parameters in chosen)
    return next((DEGREES_OF_FREEDOM[name] for name in names if name in DEGREES_OF_FREEDOM), 1)


def _row(
    found: QueryVectors, known: Mapping[str, float], own: _Own | None, freedom: int
) -> tuple[dict[str, Any], np.ndarray | None]:
    """The numbers of a slice, and the direction that gives associations."""
    row: dict[str, Any] = {"n_words": 0, "sign_changes": None, "verdict_changes": None}
    if len(found.attributes) != 2:
        return row | {"reason": "two attribute sets are needed"}, None
    targets, attributes, reason = sets_of_query(found)
    if reason:
        return row | {"reason": reason}, None
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
        return row | {"reason": f"fewer than {FEWEST} target words have a frequency"}, direction
    row["r"], row["r_low"], row["r_high"] = correlation_with_interval(value, log)
    if math.isnan(row["r"]):
        return row | {"reason": "the words do not differ in frequency or association"}, direction
    if len(targets) != 2 or {*set_of} != {0, 1}:
        return row | {"reason": "two target sets are needed"}, direction
    first, second, side = set_of == 0, set_of == 1, own.alternative if own else "two-sided"
    both = value, residuals(value, log)
    if both[1].std() <= NOISE * value.std():
        return row | {"reason": "frequency explains every difference of the words"}, direction
    sizes = [effect_size(each[first], each[second], freedom) for each in both]
    row["value"], row["value_residual"] = sizes
    p_value, p_residual = (
        exchange_p(each[first & free], each[second & free], side) for each in both
    )
    if own and has.all():
        p_value = own.p_value
    return row | {
        "p_value": p_value,
        "p_residual": p_residual,
        "sign_changes": bool(np.sign(sizes[0]) != np.sign(sizes[1])),
        "verdict_changes": (p_value < ALPHA) != (p_residual < ALPHA),
        "reason": "",
    }, direction


def _frequencies(words: WordVectors, known: Mapping[str, float]) -> np.ndarray:
    """Log frequency of each form, or of the word that it was found for; NaN if neither has one."""
    asked = dict(zip(words.form_of, words.asked, strict=False))
    return _logs(((form, asked.get(form, form)) for form in words.words), known)


def _logs(spellings: Iterable[Sequence[str]], known: Mapping[str, float]) -> np.ndarray:
    names = ([known.get(name.lower()) for name in one] for one in spellings)
    found = (next((x for x in one if x is not None), math.nan) for one in names)
    return np.array(list(found), dtype=float)


def _correlations_of_norm(
    evidence: Evidence, model: str, directions: Sequence[np.ndarray]
) -> Sequence[float]:
    """Correlation of association and log frequency over the words of the largest norm."""
    words = evidence.words.get(model)
    norms = [norm for concept in evidence.concepts.values() for norm in concept.norms]
    if words is None or not norms or not directions:
        return [math.nan] * len(directions)
    names = max((words.known(words.asked(norm.words)) for norm in norms), key=len)
    log = _logs(((name,) for name in names), evidence.frequency)
    names = [name for name, is_known in zip(names, ~np.isnan(log), strict=True) if is_known]
    if len(names) < FEWEST:
        return [math.nan] * len(directions)
    values = unit(words.vectors(names)) @ np.column_stack(directions)
    return [correlation_with_interval(value, log[~np.isnan(log)]).value for value in values.T]


def residuals(values: np.ndarray, predictor: np.ndarray) -> np.ndarray:
    """What a least-squares line leaves of the values: (n,), (n,) -> (n,)."""
    x = predictor - predictor.mean()
    y = values - values.mean()
    return y - (x @ y / (x @ x)) * x
