"""What the texts of a corpus show, in words: the one place that words the tables of a corpus.

The tables are those of `fairflow.studies.corpora`; their intervals have a level of 95%. Without the
tables nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import pandas as pd

from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.wording import counted, listed_briefly, shortened

# The metric that is computed from counts alone, and its name in a sentence.
LOG_ODDS, LOG_ODDS_NAME = "log_odds_ratio", "log odds ratio"
# Findings that lead, and subcorpora that are named.
MOST_LEADING, MOST_NAMED = 4, 3
SHUFFLED = ", less that of shuffled texts,"
CANNOT, TARGETS = "cannot be distinguished from 0", ("the first targets", "the second targets")


def division_text(division: str) -> str:
    """'half centuries': what the subcorpora of a division are called."""
    return division.replace("_", " ") or "subcorpora"


def measure_text(embedding: str, metric: str, labels: Mapping[str, str]) -> str:
    """'log odds ratio', 'WEAT (sgns)': the name of a metric on an embedding."""
    return LOG_ODDS_NAME if metric == LOG_ODDS else f"{labels.get(metric, metric)} ({embedding})"


def measures(rows: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """(Embedding, metric) -> its rows: first the log odds ratio, last those without an interval."""
    of = dict(iter(rows.groupby(["embedding", "metric"], sort=False)))
    order = sorted(of, key=lambda name: (of[name]["low"].isna().all(), name[1] != LOG_ODDS))
    return {name: of[name] for name in order}


def parts(table: pd.DataFrame) -> Iterator[tuple[str, str, str, dict]]:
    """What is shown together: division, query, name of its sets of words, and `measures`."""
    if len(table):
        table = table.assign(division=table["division"].fillna(""))
        for key, rows in table.groupby(["division", "query", "subquery"], sort=False):
            yield (*map(str, key), measures(rows))


def clear_text(table: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """How many intervals of the first measure exclude 0, without a full stop."""
    (name, rows), *_ = measures(table).items()
    what, known = f"the {measure_text(*name, labels)}", _excess(rows).dropna(subset="low")
    clear = _excludes_0(known).sum()
    if known.empty:
        return f"These texts give no interval of {what}"
    text = f"in {clear} of {counted(len(known), 'case')} the interval of {what} excludes 0"
    return f"I{text[1:]}" if clear else f"Nothing can be concluded from these texts: {text}"


@of_table("corpus_scores")
def associations_in_texts(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Where an excess can be distinguished from 0, and which could be: for each query."""
    yield from _of_each_query(results, _excess(_signed(results, table)), _associations)


@of_table("corpus_trends")
def trends_in_texts(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """How a value changes over time, or differs between subcorpora: for each query."""
    yield from _of_each_query(results, table, _trend)


@of_table("corpus_words")
def undated_documents(_: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """How many documents are in no subcorpus by date, as they have no date."""
    for division, rows in table[table["undated"] > 0].groupby("division", sort=False):
        n = counted(int(rows["undated"].iloc[0]), "document")
        where = division_text(str(division))
        yield Finding(f"Without a date and so in none of the {where}: {n}.")


@of_table("corpus_scores")
def published_interval(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """How much wider the interval over documents is than the published, analytic one."""
    known = table.dropna(subset="ratio")
    alone = known[_excludes_0(known, "analytic_") & ~_excludes_0(known)]
    if len(known):
        yield Finding(
            f"The interval over documents is {known['ratio'].min():.1f} to "
            f"{known['ratio'].max():.1f} times as wide as the published one, which takes words of "
            f"one document as independent ({counted(len(known), 'case')}).",
            f"Only the published one excludes 0 in {_named(alone)}." * bool(len(alone)),
        )


@of_table("corpus_scores")
def shuffled_words(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Which values texts with shuffled words give, too, so that frequency alone explains them."""
    known = table.dropna(subset=["value", "null_low"])
    inside = known[known["value"].between(known["null_low"], known["null_high"])]
    seeming = _signed(results, inside[_excludes_0(inside)])
    explains = "can explain these" if len(inside) else "explains none"
    if len(known):
        yield Finding(
            "The value is within the range of texts with shuffled words in "
            f"{len(inside)} of {counted(len(known), 'case')}: word frequency alone {explains}.",
            f"Of these the interval excludes 0 in {_named(seeming)}." * bool(len(seeming)),
        )


@of_table("corpus_scores")
def values_missing(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Which subcorpora have no value, and why."""
    missing = table[table["value"].isna()]
    reasons = missing["reason"].fillna("").map(shortened).replace("", "no reason known")
    each = [f"{_named(rows)} ({why})" for why, rows in missing.groupby(reasons, sort=False)]
    if each:
        n = f"{len(missing)} of {counted(len(table), 'case')}"
        yield Finding(f"There is no value in {n}: {'; '.join(each)}.")


def _excess(rows: pd.DataFrame) -> pd.DataFrame:
    """Values and intervals less those of texts without any association."""
    ends = {end: rows[f"{end}_all"] - rows["null_mean"] for end in ("low", "high")}
    ends = {f"{end}_all": less for end, less in ends.items()}
    own = {"value": "excess", "low": "excess_low", "high": "excess_high"}
    return rows.assign(**ends, **{name: rows[column] for name, column in own.items()})


def _excludes_0(rows: pd.DataFrame, before: str = "", after: str = "") -> pd.Series:
    """(rows,) whose interval over documents and seeds, or another one, excludes 0."""
    return (rows[f"{before}low{after}"] > 0) | (rows[f"{before}high{after}"] < 0)


def _signed(results: Results, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of metrics whose value 0 means no association; others are never 0."""
    return rows[rows["metric"].isin([LOG_ODDS, *results.signed])]


def _of_each_query(
    results: Results, table: pd.DataFrame, worded: Callable[..., str]
) -> Iterator[Finding]:
    """A finding for each division and query: on its first measure, on the others as evidence."""
    for place, (division, query, name, of) in enumerate(parts(table)):
        sets, where = results.sets.get(query, ()), division_text(division)
        named = ((f"the {measure_text(*one, results.labels)} of {name}", one[1]) for one in of)
        names = [f"{text}{SHUFFLED * (metric != LOG_ODDS)}" for text, metric in named]
        texts = (worded(*pair, where, *sets[:1]) for pair in zip(names, of.values(), strict=True))
        first, *others = (text[0].upper() + text[1:] for text in texts)
        known = next(iter(of.values())).dropna(subset="low")
        n, clear = len(known), int(_excludes_0(known).sum())
        chance = f"By chance about 1 of 20 such intervals excludes 0; here {clear} of {n}."
        poles = "Above 0: {} with {}, {} with {}." * ([*map(len, sets)] == [2, 2])
        yield Finding(
            first,
            poles.format(*chain(*zip(*sets, strict=False))) * (worded is _associations),
            chance * (n > 1 and 0 < clear <= max(1, n / 10)),
            leads=place < MOST_LEADING,
            numbers={"query": name, "clear": clear, "known": n},
            evidence=others,
        )


def _associations(
    what: str, rows: pd.DataFrame, where: str, targets: Sequence[str] = TARGETS
) -> str:
    known = rows.dropna(subset="low")
    far, near = known[_excludes_0(known)], known[~_excludes_0(known)]
    if known.empty:
        return f"{what} has no interval: {_reason(rows)}."
    if len(known) == 1:
        text = f"{'differs from 0' if len(far) else CANNOT} in {_named(known, True)}"
    elif far.empty:
        text = f"{CANNOT} in any of {len(known)} {where}"
    else:
        text = f"differs from 0 in {len(far)} of {len(known)} {where}: {_named(far, True)}"
    also = _excludes_0(far, after="_all").sum()
    if far["low_all"].notna().all() and also < len(far):
        text += f"; when the words of the lists are drawn anew, too, in {also}"
    for row in near.dropna(subset="smallest_effect").nlargest(1, "smallest_effect").itertuples():
        tokens = [*zip((row.n_first, row.n_second), (targets[0], targets[-1]), strict=True)]
        fewest = min((pair for pair in tokens if pair[0] == pair[0]), default=None)
        few = ", with {:,.0f} tokens of {},".format(*fewest) if fewest else ""
        effect = f"\N{PLUS-MINUS SIGN}{row.smallest_effect:.2g}"
        text += f"; in {row.label}{few} only one beyond {effect} could be distinguished from 0"
    return f"{what} {text}."


def _trend(what: str, rows: pd.DataFrame, where: str, *_: Sequence[str]) -> str:
    """The slope over time and what it amounts to, or the differences between subcorpora."""
    known = rows.dropna(subset="low").fillna({"without": ""})
    if known.empty:
        return f"No change of {what} over {where} is known: {_reason(rows)}."
    is_slope = known["kind"] == "slope"
    others = known[~is_slope].rename(columns={"contrast": "label"})
    for row in known[is_slope].itertuples():
        text = f"the trend of {what} cannot be distinguished from flat"
        if row.low > 0 or row.high < 0:
            text = f"{what} {'rises' if row.low > 0 else 'falls'}"
        ends = f", without {where} that have no value" * bool(row.without)
        ends += f"; {_named(others, True)}" * bool(len(others))
        return f"over {where} {text}: {_number(row)} {row.contrast}{ends}."
    far = others[_excludes_0(others)]
    if len(others) == 1:
        how = "differs between" if len(far) else "cannot be said to differ between"
        return f"{what} {how} {where}: {_named(others, True)}."
    named = f": {_named(far, True)}" * bool(len(far))
    return f"{what} differs in {len(far)} of {len(others)} pairs of {where}{named}."


def _reason(rows: pd.DataFrame) -> str:
    return shortened(next(filter(None, rows["reason"].fillna("")), "no documents were drawn"))


def _named(rows: pd.DataFrame, with_values: bool = False) -> str:
    """'1850-1899 and 1900-1949', with values and intervals or without."""
    numbers = (f" {_number(row)}" * with_values for row in rows.itertuples())
    names = (f"{label}{number}" for label, number in zip(rows["label"], numbers, strict=True))
    return listed_briefly([*dict.fromkeys(names)], MOST_NAMED)


def _number(row: Any) -> str:
    """'+0.43 [0.12, 0.74]', with more decimals where the interval is narrow."""
    width = row.high - row.low
    decimals = min(4, max(2, 1 - math.floor(math.log10(width)))) if width > 0 else 2
    value, low, high = (round(end, decimals) + 0.0 for end in (row.value, row.low, row.high))
    return f"{value:+.{decimals}f} [{low:.{decimals}f}, {high:.{decimals}f}]"
