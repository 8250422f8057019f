"""Conclusions on scores of items: each with the fair value, its test, and the model's ability.

Scores are on the scale on which they are published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from fairflow.language_models.errors import NOT_FINITE
from fairflow.language_models.scoring.answered import FEWEST_READ, LOST_BIASED, LOST_FAIR, OUTCOMES
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.statistics.outcome import published_name
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.findings.finding import CHANCE, SIGNIFICANT, UNTESTED, Finding, Results
from fairflow.studies.wording import counted, interval_text, listed, short_number


def sample_text(n_items: float, sampled_from: float | None) -> str:
    """'40 of 112 items'; empty where all items were used."""
    return "" if pd.isna(sampled_from) else f"{n_items:,.0f} of {sampled_from:,.0f} items"


def sample_texts(scores: pd.DataFrame) -> list[str | None]:
    """`sample_text` of each row of a study's scores, None where all items were used."""
    if "sampled_from" not in scores:
        return [None] * len(scores)
    numbers = zip(scores["n_items"], scores["sampled_from"], strict=True)
    return [sample_text(*of_row) or None for of_row in numbers]


def sample_sentences(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """One sentence on all queries for which a sample of items was used, if there are any."""
    if "sampled_from" not in headline or headline["sampled_from"].isna().all():
        return
    samples = []
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
            samples.append(", ".join(asked))
    yield (
        "A sample of items was used, drawn with the run's seed and the same for every model and "
        f"metric: {'; '.join(samples)}. Intervals show what other items would give."
    )


# Findings on the first screen, and scores in a claim.
MOST = 8


@dataclass(frozen=True)
class Score:
    """A row of scores.

    Attributes
    ----------
    part : the model and, for a score by category, the category. shift : from the scale of the
        table to the published one. ability : how well the model does the task, or "".
    noun : what was scored, "item", or "answer" of answers in text; an item may have several.
    """

    part: str
    row: Mapping[str, Any]
    shift: int
    ability: str
    noun: str = "item"

    @property
    def value(self) -> str:
        """'66.7'."""
        return short_number(self.row["value"] + self.shift)

    @property
    def numbers(self) -> str:
        """'95% interval 51.4 to 83.9, p = 0.076, over 60 of 58,492 items in 30 clusters'."""
        p, adjusted = self.row["p_value"], self.row["p_bh"]
        n_items, n_clusters = self.row.get("n_items"), self.row.get("n_clusters")
        known = [interval_text(self.row, self.shift)]
        if self.verdict == SIGNIFICANT and self.row["ci_low"] <= 0 <= self.row["ci_high"]:
            known[0] += f" (holds {self.shift}: significant by the test alone)"
        if not pd.isna(p):
            # And the adjusted p-value, where it is another number.
            differs = not pd.isna(adjusted) and f"{p:.2g}" != f"{adjusted:.2g}"
            known.append(f"p = {p:.2g}{f' (adjusted {adjusted:.2g})' if differs else ''}")
        if not pd.isna(n_items):
            sample = sample_text(n_items, self.row.get("sampled_from"))
            units = "" if n_clusters == n_items else f" in {counted(int(n_clusters), 'cluster')}"
            known.append(f"over {sample or counted(int(n_items), self.noun)}{units}")
        return ", ".join(filter(None, known))

    @property
    def verdict(self) -> str:
        """Whether it is significant after Benjamini-Hochberg."""
        if pd.isna(self.row["p_bh"]):
            return UNTESTED
        return SIGNIFICANT if self.row["p_bh"] < ALPHA else CHANCE


@dataclass(frozen=True)
class MetricScores:
    """A metric on a query, and its scores.

    Attributes
    ----------
    fair : 0 or 50. reading : what a value means. above : what values above the fair one mean; ""
        where the sign means nothing. also : scores of the same items by metrics that mean the same.
    """

    metric: str
    query: str
    fair: int
    reading: str
    above: str
    scores: Sequence[Score]
    also: list[MetricScores] = field(default_factory=list)

    @property
    def meaning(self) -> str:
        """What a value means, on the published scale."""
        return f"above {self.fair}: {self.above}" if self.above else self.reading

    @property
    def values(self) -> str:
        """'66.7 (BERT) and 51.4 (GPT-2)'; of many the smallest and the largest."""
        if not self.many:
            return self.all_values
        each = sorted(self.scores, key=lambda one: one.row["value"])
        low, high = (f"{one.value} ({one.part})" for one in (each[0], each[-1]))
        return f"{len(each)} scores from {low} to {high}"

    @property
    def all_values(self) -> str:
        """The value of each score."""
        return listed(f"{one.value} ({one.part})" for one in self.scores)

    @property
    def many(self) -> bool:
        """Whether they are too many for a sentence."""
        return len(self.scores) > MOST

    @property
    def verdict(self) -> str:
        """Significant where some score is, not tested where no score was tested."""
        verdicts = {one.verdict for one in self.scores}
        return next(one for one in (SIGNIFICANT, CHANCE, UNTESTED) if one in verdicts)


def item_scores(results: Results) -> Iterator[Finding]:
    """A finding for each metric and set of items with a fair value; significant ones first.

    Metrics that mean the same on the same items share a finding.
    """
    for number, scores in enumerate(scores_by_metric(results)):
        claim, support = _of_one(scores) if len(scores.scores) == 1 else _of_several(scores)
        also = [f"The same items by {other.metric}: {other.values}." for other in scores.also]
        yield Finding(
            claim,
            " ".join(filter(None, (*support, *also))),
            verdict=scores.verdict,
            leads=number < MOST,
            numbers={one.part: float(one.row["value"] + scores.fair) for one in scores.scores},
        )


def _of_one(scores: MetricScores) -> tuple[str, list[str]]:
    """A single score in full."""
    (score,), meaning = scores.scores, _sentence(scores.meaning)
    claim = (
        f"{scores.metric} of {score.part} on {scores.query} is {score.value} "
        f"({scores.fair} would be fair)"
    )
    if score.verdict == SIGNIFICANT and score.row["value"] > 0 and scores.above:
        claim, meaning = f"{_capital(scores.above)} in {score.part} (significant): {claim}.", ""
    else:
        claim = f"{claim}: {score.verdict}."
    return claim, [_sentence(score.numbers), meaning, _sentence(score.ability, "Ability: ")]


def _of_several(scores: MetricScores) -> tuple[str, list[str]]:
    """How many scores are significant, and each of them."""
    where = f"{scores.metric} on {scores.query} ({scores.fair} would be fair)"
    clear = [one.part for one in scores.scores if one.verdict == SIGNIFICANT]
    number = counted(len(scores.scores), "score")
    if clear:
        are = "is" if len(clear) == 1 else "are"
        claim = f"{where}: {len(clear)} of {number} ({listed(clear)}) {are} significant."
    elif scores.verdict == CHANCE:
        claim = f"{where}: 0 of {number} are significant."
    else:
        claim = f"{where}: {scores.values}; {UNTESTED}."
    if scores.many:
        return claim, [f"Each: {scores.all_values}.", _sentence(scores.meaning)]
    each = []
    for one in scores.scores:
        numbers = ", ".join(filter(None, (one.value, one.numbers)))
        each.append(f"{one.part}: {'; '.join(filter(None, (numbers, one.ability)))}.")
    return claim, [*each, _sentence(scores.meaning)]


def scores_by_metric(results: Results) -> list[MetricScores]:
    """The scores of each metric and query with a fair value of 0 or 50; significant ones first.

    Scores with too few counts are left out, and metrics without a fair value (the likelihood of
    sentences).
    """
    rows, labels = results.items, results.labels
    if rows.empty:
        return []
    rows = rows[rows["value"].notna() & (rows["status"] != FEW_COUNTS)]
    scores = results.frames["scores"]
    of_answers = scores[scores["measure"] == OUTCOMES["ok"]]
    in_text = {*zip(of_answers["model"], of_answers["query"], strict=True)}
    found: dict[tuple[object, ...], MetricScores] = {}
    for (metric, query), group in rows.groupby(["metric", "query"], sort=False):
        reading = results.readings.get(metric, {})
        if reading.get("fair") != 0 and metric not in results.signed:
            continue
        # A query may be in several criteria.
        own = group.drop_duplicates(["model", "subquery"]).to_dict("records")
        shift = reading.get("published_shift", 0)
        several = len({row["model"] for row in own}) > 1
        name = labels.get(metric, metric)
        one = MetricScores(
            published_name(name, shift),
            labels.get(query, query),
            shift,
            reading.get("text", ""),
            reading.get("above", ""),
            [
                Score(
                    _part(row, labels, several),
                    row,
                    shift,
                    _ability(row, results),
                    "answer" if (row["model"], row["query"]) in in_text else "item",
                )
                for row in own
            ],
        )
        asked = tuple((row["model"], row["subquery"], row.get("n_items")) for row in own)
        first = found.setdefault((query, one.reading, own[0]["measure"], asked), one)
        if first is not one:
            first.also.append(one)
    turn = (SIGNIFICANT, CHANCE, UNTESTED)
    return sorted(found.values(), key=lambda one: turn.index(one.verdict))


def _part(row: Mapping[str, Any], labels: Mapping[str, str], several: bool) -> str:
    """The model, or the category where there is only one model, or both."""
    model = labels.get(row["model"], row["model"])
    _, by_category, category = str(row["subquery"]).partition(f"{row['query']}: ")
    if not by_category:
        return model
    return f"{model}, {category}" if several else category


def _ability(row: Mapping[str, Any], results: Results) -> str:
    """How well the model does the task, by the metric's own measure of that."""
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
    numbers = [f"{measure} {short_number(first['value'])}", interval_text(first)]
    meaning = f" ({ability['interpretation']})" if ability.get("interpretation") else ""
    return f"{', '.join(filter(None, numbers))}{meaning}"


def _sentence(text: str, before: str = "") -> str:
    return f"{_capital(before + text)}." if text else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def samples(results: Results) -> Iterator[Finding]:
    """How many of the items were used."""
    yield from map(Finding, sample_sentences(results.headline, results.labels))


def broken_models(results: Results) -> Iterator[Finding]:
    """Models whose scores are NaN or infinite."""
    headline = results.headline
    for model in headline.loc[headline["status"] == NOT_FINITE, "model"].drop_duplicates():
        label = results.labels[model]
        text = f"{label} is broken: what it computes is NaN or infinite. It has no score."
        yield Finding(text, leads=True, numbers={"model": model})


def few_counts(results: Results) -> Iterator[Finding]:
    """Which scores have too few counts to be ranked."""
    headline = results.headline
    few = headline[(headline["status"] == FEW_COUNTS) & headline["value"].notna()]
    if len(few):
        models = listed(results.labels[model] for model in few["model"].unique())
        yield Finding(
            f"{counted(len(few), 'score')} of texts ({models}) "
            f"{'has' if len(few) == 1 else 'have'} too few counts or answers for a conclusion; "
            "no model is ranked by them."
        )


def answers_in_text(results: Results) -> Iterator[Finding]:
    """How many of the answers in text were read, and what became of the others; once per query.

    Scores of categories are of the same answers, and so are those of a second metric that reads as
    many.
    """
    scores, labels = results.frames["scores"], results.labels
    bounds = scores["measure"].str.endswith((LOST_FAIR, LOST_BIASED))
    whole = scores[scores["measure"].isin([*OUTCOMES.values()]) | bounds]
    whole = whole[whole["subquery"] == whole["query"]]
    whole = whole.drop_duplicates(["model", "query", "measure", "value"])
    for query, of_query in whole.groupby("query", sort=False):
        complete: list[str] = []
        for (model, metric), rows in of_query.groupby(["model", "metric"], sort=False):
            of = {row["measure"]: row for row in rows.to_dict("records")}
            read = of.pop(OUTCOMES["ok"], None)
            if read is None:
                continue
            if read["value"] == EVERY:
                complete.append(labels[model])
                continue
            text = _partly_read(read, of.values(), labels[model], labels.get(query, query))
            by = labels.get(metric, metric)
            yield Finding(f"{by}: {text}", leads=True, numbers={model: float(read["value"])})
        if complete:
            answers = f"answers of {listed(complete)} to {labels.get(query, query)}"
            yield Finding(f"All {answers} could be read.")


EVERY = 100.0


def _partly_read(
    read: Mapping[str, Any], others: Iterable[Mapping[str, Any]], model: str, query: str
) -> str:
    """What share of the answers was read, and the shares of the other outcomes."""
    of = {row["measure"].removeprefix("answers_"): row["value"] for row in others}
    bounds = [one for one in of if one.endswith((LOST_FAIR, LOST_BIASED))]
    lost = [
        f"{short_number(value)}% {name.replace('_', ' ')}"
        for name, value in of.items()
        if value > 0 and name not in bounds
    ]
    numbers = ", ".join(filter(None, [interval_text(read), *lost]))
    few = "; too few for a ranking" if read["value"] < FEWEST_READ else ""
    share = f"{short_number(read['value'])}% of {counted(int(read['n_items']), 'answer')}"
    ends = ", ".join(f"{one.replace('_', ' ')} {short_number(of[one])}" for one in bounds)
    more = f", but would change its score: {ends}" if ends else ""
    return (
        f"{share} of {model} to {query} could be read ({numbers}){few}. The others have no score"
        f"{more}."
    )


def unanswered_metrics(results: Results) -> Iterator[Finding]:
    """Which metrics need another kind of model than some models of the study."""
    labels, metrics_of = results.labels, dict[tuple[str, str], list[str]]()
    for metric, kinds, models in results.unanswered:
        key = " or ".join(kinds), listed(labels[model] for model in models)
        metrics_of.setdefault(key, []).append(labels[metric])
    for (kinds, models), metrics in metrics_of.items():
        needs = "needs" if len(metrics) == 1 else "need"
        text = f"{listed(metrics)} {needs} a {kinds} model: {models} cannot be scored."
        yield Finding(text)
