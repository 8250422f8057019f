"""What scores of items let one conclude: each beside what is fair, chance, and the model's ability.

They are told on the scale that they are published on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from fairflow.language_models.errors import NOT_FINITE
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.findings.finding import BEYOND_CHANCE, CHANCE, UNTESTED, Finding, Results
from fairflow.studies.wording import counted, interval_text, listed, short_number


def sample_text(n_items: float, sampled_from: float | None) -> str:
    """'40 of 112 items'; empty for what is no sample."""
    return "" if pd.isna(sampled_from) else f"{n_items:,.0f} of {sampled_from:,.0f} items"


def sample_texts(scores: pd.DataFrame) -> list[str | None]:
    """`sample_text` of each row of a study's scores, None for what is no sample."""
    if "sampled_from" not in scores:
        return [None] * len(scores)
    numbers = zip(scores["n_items"], scores["sampled_from"], strict=True)
    return [sample_text(*of_row) or None for of_row in numbers]


def sample_sentences(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """One sentence on all queries of which a sample was asked about; none without such."""
    if "sampled_from" not in headline or headline["sampled_from"].isna().all():
        return
    told = []
    for query, rows in headline.groupby("query", sort=False):
        if rows["sampled_from"].notna().any():
            # Scores by category have a row for each.
            parts = rows[rows["metric"] == rows["metric"].iloc[0]].drop_duplicates("subquery")
            of_all = parts["sampled_from"].fillna(parts["n_words"]).sum()
            text = sample_text(parts["n_found"].sum(), of_all)
            asked = [f"{text} of {labels.get(query, query)}"]
            numbers = Counter(word["set"] for words in parts["words"] for word in words)
            if len(numbers) > 1:
                span = " to ".join(map(str, sorted({min(numbers.values()), max(numbers.values())})))
                asked.append(f"{span} of each of {len(numbers)} categories")
            if lost := int(parts["n_words"].sum() - parts["n_found"].sum()):
                asked.append(f"{lost} more have no score")
            told.append(", ".join(asked))
    yield (
        "A sample of items was asked about, drawn with the run's seed and the same for every "
        f"model and metric: {'; '.join(told)}. Intervals tell what other items would have given."
    )


# Published as a percentage of which 50 is fair; ranked, and in tables, by the distance from it.
PREFERENCE, EVEN, LESS_50 = "preference", 50, " - 50"
ABOVE = "above 0: "
NO_TEST = "no test tells what chance does"
# More findings do not lead.
MOST = 8


@dataclass(frozen=True)
class Score:
    """A row of scores.

    Attributes
    ----------
    part : the model and, of a score by category, the category. shift : from the scale of the table
        to the one that it is told on. ability : how well the model does the task, or "".
    """

    part: str
    row: Mapping[str, Any]
    shift: int
    ability: str

    @property
    def value(self) -> str:
        """'66.7'."""
        return short_number(self.row["value"] + self.shift)

    @property
    def rests(self) -> str:
        """'95% interval 51.4 to 83.9, p = 0.076, over 60 of 58,492 items in 30 clusters'."""
        p, adjusted = self.row["p_value"], self.row["p_bh"]
        n_items, n_clusters = self.row.get("n_items"), self.row.get("n_clusters")
        known = [interval_text(self.row, self.shift)]
        if not pd.isna(p):
            # And what the correction makes of it, where that is another number.
            differs = not pd.isna(adjusted) and f"{p:.2g}" != f"{adjusted:.2g}"
            known.append(f"p = {p:.2g}{f' (adjusted {adjusted:.2g})' if differs else ''}")
        if not pd.isna(n_items):
            sample = sample_text(n_items, self.row.get("sampled_from"))
            clusters = "" if n_clusters == n_items else f" in {counted(int(n_clusters), 'cluster')}"
            known.append(f"over {sample or counted(int(n_items), 'item')}{clusters}")
        return ", ".join(filter(None, known))

    @property
    def verdict(self) -> str:
        """Whether chance explains it, the false discovery rate controlled."""
        if pd.isna(self.row["p_bh"]):
            return UNTESTED
        return BEYOND_CHANCE if self.row["p_bh"] < ALPHA else CHANCE


@dataclass(frozen=True)
class Told:
    """A metric on a query, and its scores.

    Attributes
    ----------
    fair : 0, or 50. interpretation : what a value says. also : the same of the same items by
        metrics that say the same of them.
    """

    metric: str
    query: str
    fair: int
    interpretation: str
    scores: Sequence[Score]
    also: list[Told] = field(default_factory=list)

    @property
    def above(self) -> str:
        """What values above the fair one say; "" where the sign says nothing."""
        return (
            self.interpretation.removeprefix(ABOVE) if self.interpretation.startswith(ABOVE) else ""
        )

    @property
    def said(self) -> str:
        """What a value says, on the scale that it is told on."""
        return f"above {self.fair}: {self.above}" if self.above else self.interpretation

    @property
    def values(self) -> str:
        """'66.7 (BERT) and 51.4 (GPT-2)'."""
        return listed(f"{one.value} ({one.part})" for one in self.scores)

    @property
    def verdict(self) -> str:
        """Beyond chance where some score is, not tested where none is."""
        verdicts = {one.verdict for one in self.scores}
        return next(one for one in (BEYOND_CHANCE, CHANCE, UNTESTED) if one in verdicts)


def item_scores(results: Results) -> Iterator[Finding]:
    """A finding per metric and set of items of which 0, or 50, is fair; beyond chance first.

    Metrics that say the same of the same items are told together.
    """
    for number, told in enumerate(told_scores(results)):
        claim, support = _of_one(told) if len(told.scores) == 1 else _of_several(told)
        also = [f"The same items by {other.metric}: {other.values}." for other in told.also]
        yield Finding(
            claim,
            " ".join(filter(None, (*support, *also))),
            verdict=told.verdict,
            leads=number < MOST,
            numbers={one.part: float(one.row["value"] + told.fair) for one in told.scores},
        )


def _of_one(told: Told) -> tuple[str, list[str]]:
    """One score in full."""
    (score,), said = told.scores, _sentence(told.said)
    claim = (
        f"{told.metric} of {score.part} on {told.query} is {score.value}, {told.fair} being fair"
    )
    if score.verdict == BEYOND_CHANCE and score.row["value"] > 0 and told.above:
        claim, said = f"{_capital(told.above)} in {score.part}, beyond chance: {claim}.", ""
    elif score.verdict == UNTESTED:
        claim = f"{claim}; {NO_TEST}."
    else:
        claim = f"{claim}: {'that is beyond chance' if score.verdict != CHANCE else CHANCE}."
    return claim, [_sentence(score.rests), said, _sentence(score.ability, "Ability: ")]


def _of_several(told: Told) -> tuple[str, list[str]]:
    """How many scores are beyond chance and each of them."""
    where = f"{told.metric} on {told.query}, {told.fair} being fair"
    clear = [one.part for one in told.scores if one.verdict == BEYOND_CHANCE]
    if clear:
        of = f"{len(clear)} of {counted(len(told.scores), 'score')} ({listed(clear)})"
        claim = f"{where}: {of} {'is' if len(clear) == 1 else 'are'} beyond chance."
    elif told.verdict == CHANCE:
        claim = f"{where}: chance can explain each of {len(told.scores)} scores."
    else:
        claim = f"{where}: {told.values}; {NO_TEST}."
    each = []
    for one in told.scores:
        numbers = ", ".join(filter(None, (one.value, one.rests)))
        each.append(f"{one.part}: {'; '.join(filter(None, (numbers, one.ability)))}.")
    return claim, [*each, _sentence(told.said)]


def told_scores(results: Results) -> list[Told]:
    """A metric and query each, of which 0, or 50, is fair; what is beyond chance first.

    Scores of too few counts are not told, nor those of which no value is fair (the likelihood of
    sentences).
    """
    rows, labels = results.items, results.labels
    if rows.empty:
        return []
    rows = rows[rows["value"].notna() & (rows["status"] != FEW_COUNTS)]
    found: dict[tuple[object, ...], Told] = {}
    for (metric, query), group in rows.groupby(["metric", "query"], sort=False):
        interpretation = results.interpretations.get(metric, "")
        if not interpretation.startswith((ABOVE, "0")) and metric not in results.signed:
            continue
        # A query may stand in several criteria.
        own = group.drop_duplicates(["model", "subquery"]).to_dict("records")
        shift = EVEN if own[0]["measure"] == PREFERENCE else 0
        several = len({row["model"] for row in own}) > 1
        name = labels.get(metric, metric)
        told = Told(
            name.replace(LESS_50, "", 1) if shift else name,
            labels.get(query, query),
            shift,
            interpretation,
            [Score(_part(row, labels, several), row, shift, _ability(row, results)) for row in own],
        )
        asked = tuple((row["model"], row["subquery"], row.get("n_items")) for row in own)
        first = found.setdefault((query, interpretation, own[0]["measure"], asked), told)
        if first is not told:
            first.also.append(told)
    turn = (BEYOND_CHANCE, CHANCE, UNTESTED)
    return sorted(found.values(), key=lambda told: turn.index(told.verdict))


def _part(row: Mapping[str, Any], labels: Mapping[str, str], several: bool) -> str:
    """The model, or the category of the only one, or both."""
    model = labels.get(row["model"], row["model"])
    _, by_category, category = str(row["subquery"]).partition(f"{row['query']}: ")
    if not by_category:
        return model
    return f"{model}, {category}" if several else category


def _ability(row: Mapping[str, Any], results: Results) -> str:
    """How well the model does the task, by the measure of the metric that tells it."""
    ability, scores = results.ability.get(row["metric"]), results.frames["scores"]
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
    said = f" ({ability['interpretation']})" if ability.get("interpretation") else ""
    return f"{', '.join(filter(None, told))}{said}"


def _sentence(text: str, before: str = "") -> str:
    return f"{_capital(before + text)}." if text else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def samples(results: Results) -> Iterator[Finding]:
    """How many of the items were asked about."""
    yield from map(Finding, sample_sentences(results.headline, results.labels))


def broken_models(results: Results) -> Iterator[Finding]:
    """Models that computed what is no number."""
    headline = results.headline
    for model in headline.loc[headline["status"] == NOT_FINITE, "model"].drop_duplicates():
        label = results.labels[model]
        text = f"{label} is broken: what it computes is NaN or infinite. It has no score."
        yield Finding(text, leads=True, numbers={"model": model})


def few_counts(results: Results) -> Iterator[Finding]:
    """Which scores rest on too few counts to be ranked."""
    headline = results.headline
    few = headline[(headline["status"] == FEW_COUNTS) & headline["value"].notna()]
    if len(few):
        models = listed(results.labels[model] for model in few["model"].unique())
        yield Finding(
            f"{counted(len(few), 'score')} of generated texts ({models}) "
            f"{'rests' if len(few) == 1 else 'rest'} on too few counts to be a finding, and no "
            "model is ranked by them."
        )


def unanswered_metrics(results: Results) -> Iterator[Finding]:
    """Which metrics ask what some models cannot answer, so that these have no score by them."""
    labels, metrics_of = results.labels, dict[tuple[str, str], list[str]]()
    for metric, kinds, models in results.unanswered:
        key = " or ".join(kinds), listed(labels[model] for model in models)
        metrics_of.setdefault(key, []).append(labels[metric])
    for (kinds, models), metrics in metrics_of.items():
        needs = "needs" if len(metrics) == 1 else "need"
        text = f"{listed(metrics)} {needs} a {kinds} model: of {models} there is no such score."
        yield Finding(text)
