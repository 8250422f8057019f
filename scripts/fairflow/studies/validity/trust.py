"""The verdict: how far numbers can be trusted, in five lines for each criterion and model.

A line is about several queries or concepts at once; it has the number of the one in the middle (of
two the worse one), so that a single odd query decides nothing.

Cohen, J. (1988). Statistical power analysis for the behavioral sciences (2nd ed.). Erlbaum.
Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data.
Biometrics, 33(1), 159-174.
Nunnally, J. C. (1978). Psychometric theory (2nd ed.). McGraw-Hill.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import pandas as pd

from fairflow.studies.ranking import SURE
from fairflow.studies.wording import counted

YARDSTICK, RELIABILITY, PAIRS, SEEDS, FREQUENCY = LINES = (
    *("yardstick", "reliability", "pairs", "seeds", "frequency"),
)
GOOD, MIDDLING, POOR, UNKNOWN = GRADES = ("good", "middling", "poor", "unknown")
COLUMNS = ("criterion", "model", "line", "value", "low", "high", "n", "of", "grade", "reason")
# Of the tables of validity, those that the verdict is made from.
TABLES = ("yardsticks", "reliability", "pair_agreement", "seed_swap", "frequency")
# The metric whose values of words WEAT averages, and the measure that compares models best: where a
# table has several, these are taken, else the first.
OF_WORDS, EFFECT_SIZE = "sc_weat", "effect_size"
NO_INTERVAL = "the interval is not above 0"


class Threshold(NamedTuple):
    """From what value on a line is good, and from what value on middling.

    Attributes
    ----------
    source : of the limits. at_limit : whether the limit itself has the better grade.
    smaller : whether smaller values are better.
    """

    good: float
    middling: float
    source: str
    at_limit: bool = True
    smaller: bool = False

    def reached(self, value: float, limit: float) -> bool:
        """Whether a value is as good as a limit."""
        return (value < limit if self.smaller else value > limit) or (
            self.at_limit and value == limit
        )


THRESHOLDS = {
    YARDSTICK: Threshold(0.5, 0.3, "Cohen 1988: a large and a medium correlation"),
    RELIABILITY: Threshold(0.7, 0.5, "Nunnally 1978"),
    PAIRS: Threshold(0.6, 0.4, "Landis and Koch 1977: substantial and moderate", at_limit=False),
    SEEDS: Threshold(SURE, 0.8, "this project: an order is stated plainly; four of five sets"),
    FREQUENCY: Threshold(0.1, 0.3, "Cohen 1988: a small and a medium correlation", False, True),
}


class Part(NamedTuple):
    """What one query, concept or published word set adds to a line.

    Attributes
    ----------
    unit : its name. n : what the number is based on. of : what the number is.
    changes : whether a sign or verdict changes without word frequency.
    """

    model: str
    criterion: str
    line: str
    unit: str
    value: float
    low: float
    high: float
    n: int
    of: str
    changes: bool = False
    reason: str = ""


def grade(line: str, value: float, low: float = math.nan) -> str:
    """One of `GRADES` for a number of a line; `low`, of its interval, counts for the yardstick."""
    if math.isnan(value):
        return UNKNOWN
    limits = THRESHOLDS[line]
    if line == YARDSTICK and not low > 0:
        return POOR
    size = abs(value) if limits.smaller else value
    steps = ((limits.good, GOOD), (limits.middling, MIDDLING))
    return next((name for limit, name in steps if limits.reached(size, limit)), POOR)


def trust(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How far the numbers of a study can be trusted.

    Parameters
    ----------
    tables : of validity, by name; any of `TABLES` may be missing. Concepts belong to the criteria
        of the queries that `seed_swap` names with them.

    Returns
    -------
    five rows for each model and criterion, "" for the whole study:
    criterion, model, line (of `LINES`) ;
    value, low, high : of the query or concept in the middle, its interval where it has one;
    of the line "seeds" the share of published word sets that leave the sign as it is ;
    n : words (yardstick, pairs), queries (reliability, frequency) or word sets (seeds) ;
    of : what the number is ; grade : of `GRADES` ; reason : why there is no number, or why the
    grade is worse than the number.
    """
    frames = {name: tables.get(name, pd.DataFrame()) for name in TABLES}
    swaps = frames["seed_swap"].reindex(columns=["criterion", "concept"]).dropna()
    links = [(str(c), str(of)) for c, of in swaps.drop_duplicates().to_numpy()]
    parts = [
        *_of_concepts(_yardsticks(frames["yardsticks"]), links),
        *_of_queries(RELIABILITY, _reliability(frames["reliability"])),
        *_of_concepts(_pairs(frames["pair_agreement"]), links),
        *_seeds(frames["seed_swap"]),
        *_of_queries(FREQUENCY, _frequency(frames["frequency"])),
    ]
    found: dict[tuple[str, str, str], dict[str, Part]] = {}
    for part in parts:
        for criterion in ("", part.criterion):
            place = criterion, part.model, part.line
            found.setdefault(place, {}).setdefault(part.unit, part)
    criteria = _names("criterion", frames.values())
    models = _names("model", frames.values())
    places = product(("", *criteria), models, LINES)
    made = [(*place, *_verdict(place[-1], [*found.get(place, {}).values()])) for place in places]
    return pd.DataFrame(made, columns=COLUMNS)


def _names(column: str, frames: Iterable[pd.DataFrame]) -> list[str]:
    """The names of a column in the order of the tables; a model "" is all of them."""
    given = (frame[column].dropna().unique() for frame in frames if column in frame)
    return [str(name) for name in dict.fromkeys(name for each in given for name in each) if name]


def _verdict(line: str, parts: Sequence[Part]) -> tuple[Any, ...]:
    """value, low, high, n, of, grade and reason of a line."""
    known = [part for part in parts if not math.isnan(part.value)]
    if not known:
        reasons = Counter(part.reason for part in parts if part.reason)
        why = reasons.most_common(1)[0][0] if reasons else _NOT_THERE[line]
        return (*(math.nan,) * 3, 0, "", UNKNOWN, why)
    if line == SEEDS:
        share = sum(part.value for part in known) / len(known)
        of = "share of scores that keep their sign with other published word sets"
        return share, math.nan, math.nan, len(known), of, grade(line, share), ""
    smaller = THRESHOLDS[line].smaller
    # The best first.
    ordered = sorted(known, key=lambda p: (p.changes, abs(p.value) if smaller else -p.value))
    middle = ordered[len(ordered) // 2]
    of, n, reason = middle.of, middle.n, ""
    name, value = grade(line, middle.value, middle.low), middle.value
    if line in (YARDSTICK, PAIRS):
        of += f" (the middle one of {len(known)} concepts)" * (len(known) > 1)
        reason = NO_INTERVAL * (line == YARDSTICK and not middle.low > 0)
    else:
        n = len(known)
    if changed := sum(part.changes for part in known):
        name = POOR if middle.changes else max(name, MIDDLING, key=GRADES.index)
        reason = f"sign or verdict changes in {changed} of {counted(n, 'query', 'queries')}"
    return value, middle.low, middle.high, n, of, name, reason


_NOT_THERE = {
    YARDSTICK: "no norm of people or statistics is known for these words",
    RELIABILITY: "no query has several words in its sets",
    PAIRS: "no word pairs are known for these words",
    SEEDS: "no other word sets have been published for these words",
    FREQUENCY: "the frequency of these words is not known",
}


def _of_concepts(parts: Iterable[Part], links: Sequence[tuple[str, str]]) -> Iterator[Part]:
    """The parts of concepts, once for each criterion whose queries are about the concept."""
    for part in parts:
        yield from (part._replace(criterion=c) for c, of in links if of == part.unit)


def _of_queries(line: str, rows: pd.DataFrame) -> Iterator[Part]:
    """A part for each row with model, criterion, query, value, low, high, of, changes, reason."""
    for row in rows.to_dict("records"):
        names = str(row["model"]), str(row["criterion"]), line, str(row["query"])
        numbers = float(row["value"]), float(row["low"]), float(row["high"])
        yield Part(*names, *numbers, 1, row["of"], bool(row["changes"]), _text(row["reason"]))


def _text(reason: Any) -> str:
    return reason if isinstance(reason, str) else ""


def _yardsticks(rows: pd.DataFrame) -> Iterator[Part]:
    """Of each concept the norm with the most words."""
    if rows.empty:
        return
    rows = _largest(rows, ["model", "concept"], rows["metric"] == OF_WORDS, rows["pearson"])
    for row in rows.to_dict("records"):
        numbers = (float(row[f"pearson{end}"]) for end in ("", "_low", "_high"))
        of = f"correlation with {row['norm_label']}"
        names = str(row["model"]), "", YARDSTICK, str(row["concept"])
        yield Part(*names, *numbers, int(row["n_words"]), of, reason=_text(row["reason"]))


def _pairs(rows: pd.DataFrame) -> Iterator[Part]:
    """Of each concept the pairs that are tried on most words, by the first value of words."""
    if rows.empty:
        return
    rows = rows[rows["pair"].fillna("") == ""]
    rows = _largest(
        rows, ["model", "concept"], rows["value"] == rows["value"].iloc[0], rows["kappa"]
    )
    for row in rows.to_dict("records"):
        numbers = (float(row[f"kappa{end}"]) for end in ("", "_low", "_high"))
        of = f"Fleiss' kappa of {row['n_pairs']} pairs ({row['label']})"
        names = str(row["model"]), "", PAIRS, str(row["concept"])
        yield Part(*names, *numbers, int(row["n_words"]), of, reason=_text(row["reason"]))


def _largest(
    rows: pd.DataFrame, key: list[str], preferred: pd.Series, value: pd.Series
) -> pd.DataFrame:
    """One row of each key: with a value, preferred, and with the most words, in this order."""
    order = rows.assign(has=value.notna(), preferred=preferred)
    by = ["has", "preferred", "n_words"]
    order = order.sort_values(by, ascending=False, kind="stable")
    return order.drop_duplicates(key).sort_index()


def _reliability(rows: pd.DataFrame) -> pd.DataFrame:
    """Of each query alpha over the parts that agree least; base pairs have their line."""
    if rows.empty:
        return rows
    rows = rows[(rows["coefficient"] == "alpha") & rows["criterion"].fillna("").ne("")].sort_values(
        "value", kind="stable"
    )
    rows = rows.drop_duplicates(["model", "criterion", "query"]).sort_index()
    return rows.assign(of="Cronbach's alpha over " + rows["parts"], changes=False)


def _frequency(rows: pd.DataFrame) -> pd.DataFrame:
    """Of each query the correlation with frequency, and whether something changes without it."""
    if rows.empty:
        return rows
    named = rows.rename(columns={"value": "score", "r": "value", "r_low": "low", "r_high": "high"})
    # Chance alone gives the few words of a query a correlation: thousands of words tell better.
    wide = rows["r_norm"].notna()
    named.loc[wide, "value"] = rows["r_norm"]
    named.loc[wide, ["low", "high"]] = math.nan
    changes = rows[["sign_changes", "verdict_changes"]].eq(True).any(axis=1)
    return named.assign(of="correlation of word values with log frequency", changes=changes)


def _seeds(rows: pd.DataFrame) -> Iterator[Part]:
    """Each other published word set in each query, by an effect size where there is one."""
    if rows.empty:
        return
    rows = rows[~rows["is_own"].eq(True)]
    preferred = rows.assign(other=rows["measure"] != EFFECT_SIZE, none=rows["value"].isna())
    preferred = preferred.sort_values(["none", "other"], kind="stable")
    place = ["model", "query", "role", "concept"]
    each = preferred.drop_duplicates([*place, "seeds"])
    # Sets with the value of others, or of the study's own, have the same words: they count once.
    each = each.assign(same=each["value"].round(9))
    copies = each.duplicated([*place, "same"]) | each["same"].eq(each["own_value"].round(9))
    for row in each[each["none"] | ~copies].to_dict("records"):
        same = math.nan if row["none"] or pd.isna(row["same_sign"]) else float(row["same_sign"])
        unit = f"{row['query']} {row['role']} {row['concept']} {row['seeds']}"
        names = str(row["model"]), str(row["criterion"]), SEEDS, unit
        yield Part(*names, same, math.nan, math.nan, 1, "", reason=_text(row["reason"]))
