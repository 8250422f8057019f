"""Which rows of a study's scores are one measurement, tested once however often it is told.

Two rows are one measurement when they rest on the same vectors, the same words and the same
statistic. So the effect sizes of WEAT with one standard deviation or the other, and WEAT's sum, are
one: exchanging words orders all three alike. A model and its twin of unit length are one where the
statistic knows only directions, and so are parts of a model as far as they hold the same words. The
side of a test does not make another measurement of it: one-sided and two-sided p-values are two
readings of one test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from fairflow.files.identity import identity_digest

if TYPE_CHECKING:
    import pandas as pd


class Sameness(NamedTuple):
    """What a study's models and metric variants have in common; by default nothing.

    Attributes
    ----------
    statistics : metric variant -> the name of the statistic that its test exchanges.
    vectors : model -> the name of its vectors, see `fairflow.studies.comparability.vectors_of`.
    scaling : metric variant -> whether the statistic changes with the length of vectors.
    """

    statistics: Mapping[str, str] = {}
    vectors: Mapping[str, str] = {}
    scaling: Mapping[str, bool] = {}

    def statistic(self, metric: str) -> str:
        """The name of a variant's statistic, its own by default."""
        return self.statistics.get(metric, metric)

    def vectors_for(self, model: str, metric: str) -> str:
        """The name of the vectors that a statistic sees of a model: its own where length counts."""
        return model if self.scaling.get(metric, False) else self.vectors.get(model, model)


def measurements(scores: pd.DataFrame, same: Sameness) -> pd.Series:
    """A name for the measurement of each row, equal for equal ones.

    Parameters
    ----------
    scores : with model, metric and subquery_digest; lost_words and respelt_words, which tell the
        words of parts of a model apart, and p_statistic count where they are given.
    """
    import pandas as pd

    columns = ["subquery_digest", "lost_words", "respelt_words", "p_statistic"]
    given = [scores[name] for name in columns if name in scores]
    rows = zip(scores["model"], scores["metric"], *given, strict=True)
    names = [
        _digest(same.vectors_for(model, metric), same.statistic(metric), *map(_plain, words))
        for model, metric, *words in rows
    ]
    return pd.Series(names, index=scores.index, dtype=object)


def _plain(value: object) -> str:
    """Text of a cell, the same for lists and arrays."""
    if value is None or isinstance(value, (str, float)):
        return value if isinstance(value, str) else ""
    items = (sorted(v.items()) if isinstance(v, dict) else v for v in value)
    return "\x1e".join(sorted(map(str, items)))


def _digest(*parts: str) -> str:
    # With a letter in front no reader of a table takes it for a number.
    return "m" + identity_digest(*parts).hex()[:10]
