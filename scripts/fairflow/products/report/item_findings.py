"""What scores of items found: each beside what is fair, chance, and how able the model is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairflow.products.report.html_table import short_number
from fairflow.products.report.order_findings import ALPHA, Finding, Frames
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.studies.samples import sample_text
from fairflow.studies.wording import counted, listed

# Published as a percentage of which 50 is fair; ranked, and in tables, by the distance from it.
PREFERENCE, EVEN, LESS_50 = "preference", 50, " - 50"
ABOVE = "above 0: "
UNTESTED = "no test tells what chance does"
# More are for the table.
MOST = 8


@dataclass(frozen=True)
class Score:
    """A row of scores as it is told: on the scale that it is published on.

    Attributes
    ----------
    part : the model and, of a score by category, the category.
    ability : its measure, value and interval in words, "" without.
    """

    part: str
    row: Mapping[str, Any]
    shift: int
    ability: str

    @property
    def value(self) -> str:
        """'66.67'."""
        return short_number(self.row["value"] + self.shift)

    @property
    def measured(self) -> str:
        """'66.67, 95% interval 51.4 to 83.86, p = 0.076'."""
        row = self.row
        return ", ".join(filter(None, (self.value, interval_text(row, self.shift), _p(row))))

    @property
    def told(self) -> str:
        """That and the ability."""
        return "; ".join(filter(None, (self.measured, self.ability)))

    @property
    def tested(self) -> bool:
        """Whether it is known what chance gives."""
        return not _missing(self.row.get("p_bh"))

    @property
    def clear(self) -> bool:
        """Whether chance does not explain it, the false discovery rate controlled."""
        return self.tested and self.row["p_bh"] < ALPHA


def item_findings(study: Mapping[str, Any], frames: Frames) -> Iterator[Finding]:
    """A finding per metric and query of which 0, or 50, is fair: what is beyond chance first.

    Scores of too few counts are no finding, and those of which no value is fair (the likelihood of
    sentences) none by themselves.

    Parameters
    ----------
    study : with labels and, by metric, readings and ability; of_items, the metrics of items.
    """
    found = list(_scores(study, frames["scores"]))
    found.sort(key=lambda one: _turn(one[1]))
    for told, scores in found[:MOST]:
        yield told.finding(scores)
    if len(found) > MOST:
        more = counted(len(found) - MOST, "further score")
        yield Finding(f"{more} of items: see the table.", "", "scores")


@dataclass(frozen=True)
class _Told:
    """A metric on a query, and how it is spoken of."""

    metric: str
    query: str
    fair: int
    reading: str

    def finding(self, scores: Sequence[Score]) -> Finding:
        """One score in full, of several how many are beyond chance and each of them."""
        return self._of_one(scores[0]) if len(scores) == 1 else self._of_several(scores)

    def _of_several(self, scores: Sequence[Score]) -> Finding:
        where = f"{self.metric} on {self.query}, {self.fair} being fair"
        clear = [one.part for one in scores if one.clear]
        if clear:
            of = f"{len(clear)} of {counted(len(scores), 'score')} ({listed(clear)})"
            claim = f"{where}: {of} {'is' if len(clear) == 1 else 'are'} beyond chance."
        elif any(one.tested for one in scores):
            claim = f"{where}: chance can explain each of {len(scores)} scores."
        else:
            told = listed(f"{one.value} ({one.part})" for one in scores)
            claim = f"{where}: {told}; {UNTESTED}."
        each = [
            f"{one.part}: {'; '.join(filter(None, (one.measured, one.ability)))}." for one in scores
        ]
        support = " ".join(filter(None, (*each, self._said)))
        return Finding(claim, support, "scores", clear=bool(clear))

    def _of_one(self, score: Score) -> Finding:
        where = f"{self.metric} of {score.part} on {self.query}"
        claim = f"{where} is {score.value}, {self.fair} being fair"
        said = self._said
        if score.clear and score.row["value"] > 0 and self.reading.startswith(ABOVE):
            reading = _capital(self.reading.removeprefix(ABOVE))
            claim, said = f"{reading} in {score.part}, beyond chance: {claim}.", ""
        elif score.clear:
            claim = f"{claim}: that is beyond chance."
        else:
            claim = f"{claim}{': chance can explain it' if score.tested else f'; {UNTESTED}'}."
        row = score.row
        told = [interval_text(row, score.shift), _p(row), _items(row)]
        support = _capital(", ".join(filter(None, told)))
        ability = f"Ability: {score.ability}." if score.ability else ""
        parts = (f"{support}." if support else "", said, ability)
        return Finding(claim, " ".join(filter(None, parts)), "scores", clear=score.clear)

    @property
    def _said(self) -> str:
        """What a value says, on the scale that it is told on."""
        if not self.reading:
            return ""
        said = self.reading
        if self.fair and said.startswith(ABOVE):
            said = f"above {self.fair}: {said.removeprefix(ABOVE)}"
        return f"{_capital(said)}."


def _scores(study: Mapping[str, Any], scores: pd.DataFrame) -> Iterator[tuple[_Told, list[Score]]]:
    """The scores of each metric and query that has a fair value."""
    readings, labels = study.get("readings", {}), study["labels"]
    of_items = scores["metric"].isin([*study.get("of_items", ())])
    if not of_items.any():
        return
    rows = scores[scores["headline"] & of_items & scores["value"].notna()]
    rows = rows[rows["status"] != FEW_COUNTS]
    for (metric, query), group in rows.groupby(["metric", "query"], sort=False):
        reading = readings.get(metric, "")
        if not reading.startswith((ABOVE, "0")) and metric not in study.get("signed", ()):
            continue
        # A query may stand in several criteria.
        own = group.drop_duplicates(["model", "subquery"]).to_dict("records")
        shift = EVEN if own[0]["measure"] == PREFERENCE else 0
        name = labels.get(metric, metric)
        told = _Told(
            name.replace(LESS_50, "", 1) if shift else name,
            labels.get(query, query),
            shift,
            reading,
        )
        several = len({row["model"] for row in own}) > 1
        yield (
            told,
            [
                Score(_part(row, labels, several), row, shift, _ability(row, scores, study))
                for row in own
            ],
        )


def _part(row: Mapping[str, Any], labels: Mapping[str, str], several: bool) -> str:
    """The model, or the category of the only one, or both."""
    model = labels.get(row["model"], row["model"])
    _, by_category, category = str(row["subquery"]).partition(f"{row['query']}: ")
    if not by_category:
        return model
    return f"{model}, {category}" if several else category


def _ability(row: Mapping[str, Any], scores: pd.DataFrame, study: Mapping[str, Any]) -> str:
    """How well the model does the task, by the measure of the metric that tells it."""
    ability = study.get("ability", {}).get(row["metric"])
    if not ability:
        return ""
    same = ["model", "metric", "query", "subquery"]
    there = (scores[same] == [row[name] for name in same]).all(axis=1)
    own = scores[there & (scores["measure"] == ability["measure"]) & scores["value"].notna()]
    if own.empty:
        return ""
    first = own.iloc[0].to_dict()
    measure = ability["measure"].replace("_", " ")
    told = [f"{measure} {short_number(first['value'])}", interval_text(first)]
    said = f" ({ability['reading']})" if ability.get("reading") else ""
    return f"{', '.join(filter(None, told))}{said}"


def interval_text(row: Mapping[str, Any], shift: int = 0) -> str:
    """'95% interval 51.4 to 83.86'; "" without."""
    low, high, level = row.get("ci_low"), row.get("ci_high"), row.get("ci_level")
    if _missing(low) or _missing(high):
        return ""
    percent = "" if _missing(level) else f"{100 * level:g}% "
    return f"{percent}interval {short_number(low + shift)} to {short_number(high + shift)}"


def _items(row: Mapping[str, Any]) -> str:
    """'over 60 of 84 items'."""
    if _missing(row.get("n_words")):
        return ""
    sample = sample_text(row["n_words"], row.get("sampled_from"))
    return f"over {sample or counted(int(row['n_words']), 'item')}"


def _p(row: Mapping[str, Any]) -> str:
    """'p = 0.076', and what the correction makes of it where that is another number."""
    p, adjusted = row.get("p_value"), row.get("p_bh")
    if _missing(p):
        return ""
    differs = not _missing(adjusted) and f"{p:.2g}" != f"{adjusted:.2g}"
    return f"p = {p:.2g}{f' (adjusted {adjusted:.2g})' if differs else ''}"


def _turn(scores: Sequence[Score]) -> tuple[int, float]:
    """What is beyond chance first, what is not tested last."""
    tested = [one.row["p_bh"] for one in scores if one.tested]
    if not tested:
        return (2, 0.0)
    return (0, 0.0) if min(tested) < ALPHA else (1, 0.0)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _missing(number: Any) -> bool:
    return number is None or (isinstance(number, float) and math.isnan(number))
