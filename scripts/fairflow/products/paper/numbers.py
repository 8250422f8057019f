"""Every number of a study as a LaTeX macro for use in prose, with a name of letters only."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import pandas as pd

from fairflow.errors import FairflowError
from fairflow.products.paper.latex import decimals_by_metric, in_words, number, p_power, rank
from fairflow.studies.wording import shortened

DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def macro_name(*parts: str) -> str:
    """Parts joined, each word and digit with a capital, the first letter small.

    Accents are removed; other letters become their code point, digit by digit.

    Examples
    --------
    >>> macro_name("weat_replication", "weat_10", "p value")
    'weatReplicationWeatOneZeroPValue'
    """
    plain = unicodedata.normalize("NFKD", " ".join(parts))
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    name = "".join(map(_word, re.findall(r"[A-Za-z]+|[0-9]|[^\W_]", letters)))
    return name[:1].lower() + name[1:]


def unique_macros(macros: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The macros unchanged, if all names differ.

    Parameters
    ----------
    macros : name, value, description.

    Raises
    ------
    FairflowError : two numbers have the same name.
    """
    holders: dict[str, str] = {}
    listed = list(macros)
    for name, _, what in listed:
        if name in holders:
            raise FairflowError(
                f"numbers.tex: \\{name} is the name of {holders[name]} and of {what}: rename a "
                "study, model, metric, query or criterion; names must differ in letters or digits"
            )
        holders[name] = what
    return listed


def _word(word: str) -> str:
    if re.fullmatch("[A-Za-z]+", word):
        return word[0].upper() + word[1:]
    digits = word if word in "0123456789" else str(ord(word))
    return "".join(DIGITS[int(digit)] for digit in digits)


UNDEFINED = "undefined"
HEADER = r"""% Numbers for use in prose: \input{numbers}, then \studyMetricQueryModelValue, say.
% A name joins the names of study, metric, query (or criterion), model and value. It has letters
% only; digits are spelt: weat_10 is WeatOneZero. Sub-queries follow their query as SubqueryOne
% and so on. The value of a missing number is "undefined"; a comment gives the reason.
% Value; Low, High: interval over target words; LowBoth, HighBoth: over target and attribute words;
% P, PHolm, PBh: permutation test, adjusted after Holm and after Benjamini and Hochberg.
% Aggregate: over the queries that the model defines. CommonScore, Rank: over the queries that all
% ranked models define. ExpectedRank, RankLow, RankHigh: over resampled words. NumberOf...: counts.
"""
# Macro -> column of the scores; statistics_note has the reasons for missing cells.
_STATISTICS = {"Low": "ci_low", "High": "ci_high"}
_STATISTICS |= {"LowBoth": "ci_low_both", "HighBoth": "ci_high_both"}
_STATISTICS |= {"P": "p_value", "PHolm": "p_holm", "PBh": "p_bh"}
_EXPECTED = {"expected_rank": "ExpectedRank", "rank_low": "RankLow", "rank_high": "RankHigh"}

Macro = tuple[str, str, str]


def numbers_file(studies: Mapping[str, Mapping[str, pd.DataFrame]]) -> str:
    r"""Text of numbers.tex: a \newcommand per number, in the order of the tables.

    Parameters
    ----------
    studies : study -> scores, ranking, correlations, published.

    Raises
    ------
    FairflowError : two numbers have the same name.
    """
    macros = unique_macros(macro for item in studies.items() for macro in study_macros(*item))
    # One line each: LaTeX would read a second line of a comment as text.
    lines = (
        rf"\newcommand{{\{name}}}{{{value}}}% {' '.join(what.split())}"
        for name, value, what in macros
    )
    return HEADER + "\n".join(lines) + "\n"


def study_macros(study: str, frames: Mapping[str, pd.DataFrame]) -> Iterator[Macro]:
    """For each number: name, value as LaTeX for text and mathematics, and description."""
    yield from _counts(study, frames)
    yield from _score_macros(study, frames["scores"])
    computed = frames["ranking"][frames["ranking"]["source"] == "computed"]
    for rows, columns, why in (
        (computed, {"value": "Aggregate"}, "too few queries are defined"),
        (computed, {"score": "CommonScore", "rank": "Rank"}, "not ranked"),
        (computed.assign(note=computed["draws_note"]), _EXPECTED, "not ranked"),
    ):
        yield from _model_macros(study, rows, columns, why)
    yield from _correlation_macros(study, frames["correlations"])


def _counts(study: str, frames: Mapping[str, pd.DataFrame]) -> Iterator[Macro]:
    scores = frames["scores"]
    headline = scores[scores["is_primary"]]
    counts = {
        "models": headline["model"].nunique(),
        "metrics": headline["metric"].nunique(),
        "queries": headline["query"].nunique(),
        "scores": len(headline),
        "undefined": int(headline["value"].isna().sum()),
        "published": len(frames["published"]),
    }
    verdicts = frames["published"]["verdict"].value_counts()
    for verdict in ("match", "within tolerance", "within the draws", "differs", "not computed"):
        counts[f"published {verdict}"] = int(verdicts.get(verdict, 0))
    for what, count in counts.items():
        yield macro_name(study, "number of", what), str(count), f"{study}: number of {what}"


def _score_macros(study: str, scores: pd.DataFrame) -> Iterator[Macro]:
    headline = scores[scores["is_primary"]]
    decimals = decimals_by_metric(headline, "value")
    for metric, rows in headline.groupby("metric", sort=False):
        for (query, model), subqueries in rows.groupby(["query", "model"], sort=False):
            # A query has the same scores in each of its criteria.
            subqueries = subqueries.drop_duplicates("subquery")
            for nth, row in enumerate(subqueries.to_dict("records"), start=1):
                part = [f"subquery {nth}"] if len(subqueries) > 1 else []
                names = [study, metric, query, *part, model]
                yield from _score(names, row, decimals[metric])


def _score(names: list[str], row: Mapping[str, Any], decimals: int) -> Iterator[Macro]:
    why = in_words(row["reason"], str(row["status"]))
    note = in_words(row.get("statistics_note"), "not tested")
    form = partial(number, decimals=decimals)
    yield _macro(names, "Value", row["value"], form, why)
    for what, column in _STATISTICS.items():
        is_p = column.startswith("p_")
        yield _macro(names, what, row[column], p_power if is_p else form, note)


def _model_macros(
    study: str, rows: pd.DataFrame, columns: Mapping[str, str], why: str
) -> Iterator[Macro]:
    decimals = decimals_by_metric(rows, next(iter(columns)))
    for row in rows.to_dict("records"):
        names = [study, row["metric"], row["criterion"], row["model"]]
        for column, what in columns.items():
            fixed = 2 if column == "expected_rank" else decimals[row["metric"]]
            form = rank if column.startswith("rank") else partial(number, decimals=fixed)
            yield _macro(names, what, row[column], form, in_words(row.get("note"), why))


def _correlation_macros(study: str, correlations: pd.DataFrame) -> Iterator[Macro]:
    places = {name: i for i, name in enumerate(dict.fromkeys(correlations["metric_row"]))}
    for row in correlations.to_dict("records"):
        pair = row["metric_row"], row["metric_column"]
        if places[pair[0]] < places[pair[1]]:
            names = [study, row["source"], row["criterion"], *pair, row["method"]]
            why = in_words(row["reason"], "not computed")
            form = partial(number, decimals=2)
            yield _macro(names, "Correlation", row["correlation"], form, why)
            yield _macro(names, "CorrelationP", row["p_value"], p_power, why)


def _macro(names: Iterable[str], what: str, value: float, form: Any, why: str) -> Macro:
    holder = " / ".join([*names, what])
    name = macro_name(*names, what)
    if pd.isna(value):
        reason = " ".join(shortened(why).split())
        return name, UNDEFINED, f"{holder}: {reason}"
    return name, rf"\ensuremath{{{form(value).replace('$', '')}}}", holder
