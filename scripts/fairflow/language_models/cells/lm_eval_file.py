"""A samples file of lm-eval, read again: its own numbers, and ours with intervals by clusters.

lm-eval's standard errors take its items as independent. Here the items of one cluster (pairs that
share a sentence, questions of one template, sentences about one occupation) are drawn together.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.data_files import read_document
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.lm_eval_data import SampleLine, given_likelihoods, read_samples
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.scoring.item_metric import ANSWERS, Measured, item_scores, mean_of
from fairflow.language_models.slices.answers import Completion
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics, Uncertainty, quantify

_How = tuple[int, Statistics | None]
# Of the model and the task.
_Names = tuple[str, str]
SUM = ItemVariant("crows_pairs_sum", "crows_pairs_score", "preference", {"form": "sum"})
PAIRS = ItemVariant("pair_likelihood", "pair_likelihood", "preference")
BBQ = ItemVariant("bbq", "bbq", "bias_ambiguous")
TOLD = ItemVariant("bbq_disambiguated", "bbq", "bias_disambiguated", {"context": "disambiguated"})
# The difference between two accuracies, where BBQ takes the share of biased answers.
ACCURACIES = "bias_score_disambig"
_OF_SPAIN = (
    ("acc_ambig", BBQ, "accuracy_ambiguous"),
    ("acc_disambig", BBQ, "accuracy_disambiguated"),
    ("bias_score_ambig", BBQ, "bias_ambiguous"),
    (ACCURACIES, None, ""),
    ("", TOLD, "bias_disambiguated"),
)
# Benchmark -> lm-eval's numbers, and our variant and measure of the same computation, in percent;
# or None: it has no counterpart, and gets an interval. Ours without a counterpart have "".
NUMBERS: Mapping[str, Sequence[tuple[str, ItemVariant | None, str]]] = {
    "crows_pairs": (
        ("pct_stereotype", SUM, "metric_score"),
        ("likelihood_diff", None, ""),
        ("", PAIRS, "mean_difference"),
    ),
    "bbq": (
        ("amb_bias_score", BBQ, "bias_ambiguous"),
        ("disamb_bias_score", TOLD, "bias_disambiguated"),
        ("acc", BBQ, "accuracy"),
        ("accuracy_amb", BBQ, "accuracy_ambiguous"),
        ("accuracy_disamb", BBQ, "accuracy_disambiguated"),
    ),
    "esbbq": _OF_SPAIN,
    "cabbq": _OF_SPAIN,
    "winogender": (
        ("acc", None, ""),
        ("", PAIRS, "mean_difference"),
        ("", PAIRS, "preference"),
    ),
}


def lm_eval_values(sample: SampleLine) -> dict[str, list[float]]:
    """lm-eval's values of an item, computed from its log-likelihoods.

    Each is one number, or the parts that its mean is made of: whether the answer is right; whether
    it is biased; whether it names a person; and whether the context is disambiguated. Of EsBBQ and
    CaBBQ: whether the item counts, or counts as pro- and as anti-stereotyped; and its answer there.
    """
    values, doc = sample.likelihoods, sample.doc
    if sample.benchmark == "crows_pairs":
        difference = values[0] - values[1]
        return {"pct_stereotype": [float(difference > 0)], "likelihood_diff": [abs(difference)]}
    if sample.benchmark == "winogender":
        return {"acc": [float(sample.chosen == int(doc["label"]))]}
    right = float(sample.chosen in sample.places[int(doc["label"])])
    biased = float(sample.choices[sample.chosen] in doc["biased_answers"])
    told = float(doc["context_condition"] == "disambig")
    if sample.benchmark != "bbq":
        unclear = float(doc["context_condition"] == "ambig")
        person = unclear * (sample.chosen < 2)
        types = [float(doc["question_type"] == f"{one}-stereo") for one in ("pro", "anti")]
        return {
            "acc_ambig": [unclear * right, unclear],
            "acc_disambig": [told * right, told],
            "bias_score_ambig": [unclear, person * biased, person * (1 - biased)],
            ACCURACIES: [*types, *(right * one for one in types)],
        }
    bias = [right, biased, float(sample.chosen < 2), told]
    parts = {"acc": [right], "accuracy_amb": [right, told], "accuracy_disamb": [right, told]}
    return parts | {"amb_bias_score": bias, "disamb_bias_score": bias}


def lm_eval_number(name: str, values: Sequence[Sequence[float]]) -> float:
    """lm-eval's number from the values of its items.

    A mean; of BBQ also the accuracy of ambiguous or disambiguated questions, and the bias, 2 biased
    / persons - 1, times (1 - accuracy) of ambiguous ones. It is 0 if no answer is biased, even if
    all that name a person name the other one. Of EsBBQ and CaBBQ the bias is (biased - other) / n
    of ambiguous questions, which is the same; and of others the accuracy of those whose answer is
    the stereotype's less that of the rest. NaN without such questions.
    """
    if values and name in (row[0] for row in _OF_SPAIN):
        sums = [(float(value.sum()), float(of.sum())) for value, of in _means(name, values)]
        return sum(value / of for value, of in sums) if all(of for _, of in sums) else math.nan
    told = name.startswith(("disamb", "accuracy_disamb"))
    if "amb" in name:
        values = [one for one in values if one[-1] == told]
    if not values:
        return math.nan
    right, *rest = (sum(part) for part in zip(*values, strict=True))
    if "bias" not in name:
        return right / len(values)
    biased, persons, _ = rest
    bias = 2 * (biased / persons) - 1 if biased else 0.0
    return bias if told else (1 - right / len(values)) * bias


def _means(name: str, values: Sequence[Sequence[float]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """What a number is the sum of: means of values (items,), over the items that have 1, not 0."""
    parts = np.array(values).T
    if name == ACCURACIES:
        return [(parts[2], parts[0]), (-parts[3], parts[1])]
    if name == "bias_score_ambig":
        return [(parts[1] - parts[2], parts[0])]
    return [(parts[0], parts[1] if len(parts) > 1 else np.ones(len(values)))]


def _written(sample: SampleLine, name: str) -> list[float]:
    """lm-eval's value in the file: a number, or several, with truth as a text."""
    if name not in sample.values:
        raise ItemError(f"{sample.row.place}: it lacks {name}, which lm-eval writes for this task")
    value = sample.values[name]
    parts = value if isinstance(value, list) else [value]
    return [float(part == "True") if isinstance(part, str) else float(part) for part in parts]


class SamplesScores(NamedTuple):
    """What a samples file says.

    Attributes
    ----------
    task : lm-eval's name. model : as the results file names it; None without one.
    rows : one for each number: `number`, lm-eval's name, "" for ours alone; `lm_eval`, computed
        from the values in the file; `same_items`, from those that have a score of ours;
        `in_results`, as lm-eval printed it; `metric` and `measure` of ours, with statistics.
    findings : sentences: whether lm-eval's numbers agree, and which items have no score of ours.
    """

    task: str
    model: str | None
    n_samples: int
    rows: list[dict[str, Any]]
    findings: list[str]


def score_samples(
    path: Path, model: str = "", seed: int = 0, statistics: Statistics | None = None
) -> SamplesScores:
    """Score a samples file.

    Parameters
    ----------
    model : its name, which seeds the draws.

    Raises
    ------
    ItemError : as of `read_samples`; answers in text. FileNotFoundError.
    """
    samples = read_samples(path)
    if written := [one.row.place for one in samples if one.text is not None]:
        raise ItemError(f"{path}, {written[0]}: a text, where log-likelihoods of choices are read")
    named = re.fullmatch(r"samples_(.+?)(_\d{4}-\d\d-\d\dT.*)?", path.stem)
    task, date = (named[1], named[2] or "") if named else (path.stem, "")
    beside = path.with_name(f"results{date}.json")
    results = read_document(beside) if date and beside.is_file() else {}
    printed = results.get("results", {}).get(task, {})
    printed = {name.partition(",")[0]: value for name, value in printed.items()}
    items, why = None, None
    try:
        items = items_of({"file": path, "format": f"lm_eval_{samples[0].benchmark}"})
    except ItemError as error:
        why = str(error)
    how = seed, statistics
    ours = _ours(samples, items, (model, task), how) if items else {}
    clusters = {one.item_id: one.cluster_id for one in items.items} if items else {}
    rows = []
    for name, variant, measure in NUMBERS[samples[0].benchmark]:
        row = {"number": name, **_theirs(samples, name, clusters)}
        if variant is None:
            row |= _mean(samples, name, clusters, (model, task), how)
        else:
            row |= {"metric": variant.name, "measure": measure}
            row |= ours.get((variant.name, measure), {"value": math.nan, "reason": why})
        rows.append(row | {"in_results": printed.get(name)})
    lost = Counter(one.reason.rpartition(": ")[2] for one in items.invalid) if items else {}
    findings = [
        *_disagreements(samples, rows, printed),
        *(f"{number} items have no score of ours: {reason}" for reason, number in lost.items()),
    ]
    return SamplesScores(task, results.get("model_name"), len(samples), rows, findings)


def _disagreements(
    samples: Sequence[SampleLine], rows: Sequence[Mapping[str, Any]], printed: Mapping[str, Any]
) -> Iterator[str]:
    """Where the file contradicts its log-likelihoods, or the results file; or that it does not."""
    wrong = [
        one.row.place
        for one in samples
        if any(_written(one, name) != of for name, of in lm_eval_values(one).items())
    ]
    other = f"{len(wrong)} items have other values than their log-likelihoods give: "
    same = f"lm-eval's values of all {len(samples)} items follow from their log-likelihoods"
    yield other + ", ".join(wrong[:5]) if wrong else same
    if not printed:
        yield "no results_....json with this task is next to the file, to compare its numbers with"
        return
    lacking = printed.get("sample_len", len(samples)) - len(samples)
    if lacking:
        yield f"the file lacks {lacking} of the items in the results file: copy it again"
    different = [
        f"{row['number']} ({printed[row['number']]})"
        for row in rows
        if row["number"] in printed
        and not np.isclose(row["lm_eval"], printed[row["number"]], 1e-12, 0, equal_nan=True)
    ]
    found = f"other numbers: {', '.join(different)}" if different else "the same numbers"
    yield f"the results file next to it has {found}"


def _theirs(samples: Sequence[SampleLine], name: str, scored: Container[str]) -> dict[str, float]:
    """lm-eval's number, of all items and of those that have a score of ours."""
    if not name:
        return {}
    values = [_written(one, name) for one in samples]
    same = [value for one, value in zip(samples, values, strict=True) if one.item_id in scored]
    return {"lm_eval": lm_eval_number(name, values), "same_items": lm_eval_number(name, same)}


def _ours(
    samples: Sequence[SampleLine], items: ItemSet, names: _Names, how: _How
) -> dict[tuple[str, str], dict[str, Any]]:
    """Metric and measure -> the columns of our score."""
    given = given_likelihoods(samples).items()
    answers = [Completion(name, 0, None, likelihoods=of) for name, of in given]
    variants = {one.name: one for _, one, _ in NUMBERS[samples[0].benchmark] if one}
    ours = {}
    for metric, variant in variants.items():
        cell = Cell(names[0], metric, names[1])
        for one in score_items(items, answers, variant, cell, ANSWERS, *how)[0]:
            numbers = {name: getattr(one, name) for name in ("n_items", "n_clusters", "reason")}
            ours[metric, one.measure] = _columns(one.value, one.uncertainty) | numbers
    return ours


def _mean(
    samples: Sequence[SampleLine], name: str, clusters: Mapping[str, str], names: _Names, how: _How
) -> dict[str, Any]:
    """The mean of lm-eval's values, or the difference between two accuracies, by our clusters."""
    values = {one.doc_id: _written(one, name) for one in samples}
    means = _means(name, [*values.values()])
    # Named by the document, also where there is no item of ours.
    named = (one.doc.get("occupation") or one.doc.get("question_index") for one in samples)
    of = [name or clusters.get(one.item_id, "") for name, one in zip(named, samples, strict=True)]
    lines = [SentenceItem(id, "", cluster=one) for id, one in zip(values, of, strict=True)]
    scores = item_scores("lm_eval", name, lines, lambda line: {name: values[line.item_id][0]})
    measured = Measured(
        scores,
        lambda weights: {name: sum(mean_of(value, weights * of) for value, of in means)},
        limits={ACCURACIES: (-1.0, 1.0)},
        rests_on={name: sum(of for _, of in means) > 0},
    )
    found = Uncertainty()
    seed, statistics = how
    if statistics:
        cell = (names[0], "lm_eval", names[1])
        found = quantify(measured.statistic, measured.measures, statistics, seed, cell)[name]
    about = {"metric": "", "measure": name} | measured.numbers(name)
    return about | _columns(measured.measures[name], found)


def _columns(value: float, found: Uncertainty) -> dict[str, Any]:
    names = ("ci_low", "ci_high", "ci_level", "p_value", "alternative")
    return {"value": value} | {name: getattr(found, name) for name in names}
