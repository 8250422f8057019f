"""What would other published word sets of the same concept have said?

Antoniak, M., & Mimno, D. (2021). Bad Seeds: Evaluating Lexical Methods for Bias Measurement. ACL
2021.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.lookup import SetLookup, rejection, shared_forms
from fairflow.scores.ranked import PRIMARY
from fairflow.statistics.seeds import identity_generator
from fairflow.studies.comparability import IS_CONTROL
from fairflow.studies.tables import columns_of
from fairflow.validity.evidence import (
    NO_DIRECTION,
    Evidence,
    MetricChoice,
    ModelWords,
)
from fairflow.vectors.directions import unit
from fairflow.vectors.query_vectors import QueryVectors, WordVectors

TARGETS = "targets"
# Random divisions of the words of two sets, and the share of them that the sets must surpass: half
# of all pairs of random sets have a silhouette above 0.
DIVISIONS, SURPASSED = 200, 0.95
# Larger sets are judged by this number of their words, drawn at random.
MOST_WORDS = 300
PAIRS, BOTH_SETS = "pairs", "both sets"
NOT_LOOKED_UP = "{} was not looked up in this model"
NO_WORD = "no word was found of {}"
SHARED = "words of several target sets: {}"

# Target and attribute sets.
Sides = tuple[Sequence[WordVectors], Sequence[WordVectors]]


class Coherence(NamedTuple):
    """Whether the words of two sets are two groups in a model.

    Attributes
    ----------
    first_component : share of variance, from 0 to 1, of the differences of words paired by
        position ("pairs", for sets of equal size), or of the words of both sets around their mean
        ("both sets"); NaN of fewer than two pairs.
    silhouette : mean over words, by cosines, from -1 to 1; 0: as near to the other set as to its
        own. holds_together : whether the silhouette is above 95 % of those of the same words
        divided at random; None if a set has fewer than two words.
    """

    first_component: float = math.nan
    component_of: str = ""
    silhouette: float = math.nan
    holds_together: bool | None = None


class _Calculation(NamedTuple):
    """A metric as it is computed, once for all variants that it serves."""

    metric: BaseMetric
    parameters: Mapping[str, Any]
    # Variant -> its measure in the outcome.
    measures: dict[str, str]


def seed_swap(evidence: Evidence) -> pd.DataFrame:
    """Every published pair of word sets of a concept in place of the pair that a query uses.

    The other side of the query stays. Scored by each metric of the study that takes these sets,
    draws nothing at random and needs nothing else; without tests and intervals.

    Returns
    -------
    model, criterion, query, concept; role: the side that is exchanged, "targets" or "attributes";
    seeds: the publication; is_own: these are the query's own sets; metric (variant), measure;
    value, value_normalized (of vectors of unit length); own_value: of the query's own sets;
    same_sign: whether value and own_value have one sign, missing for metrics without sign;
    n_first, n_second: words found of the first and the second set of the side; first_component,
    component_of, silhouette, holds_together: see `Coherence`; reason, why value is NaN, else "".
    """
    rows: list[dict[str, Any]] = []
    published = {model: _Published(evidence, model) for model in evidence.models}
    for names, found in evidence.named_slices():
        model, query = names["model"], names["query"]
        choices = [one for one in evidence.metrics.values() if _takes(one.metric, found)]
        concepts = evidence.concepts_of(query) if choices else []
        if not concepts:
            continue
        calculations = _calculations(choices)
        swap = _Swap(found, published[model])
        for concept, role, forward in concepts:
            ours = tuple(evidence.sets[query][role != TARGETS])
            of_concept = []
            for seeds, poles in concept.sets.items():
                references = tuple(poles if forward else poles[::-1])
                is_own = references == ours
                sides, reason = swap.own() if is_own else swap.exchanged(role, references)
                told = {"concept": concept.name, "role": role, "seeds": seeds, "is_own": is_own}
                told |= published[model].coherence(poles)._asdict()
                found_of = [len(one.words) for one in sides[0][role != TARGETS]] if sides else []
                sizes = dict(zip(("n_first", "n_second"), found_of, strict=False))
                told |= sizes or published[model].sizes(references)
                values = _values(calculations, sides, reason)
                for one in choices:
                    of_metric = {"metric": one.name, "measure": one.measure, **values[one.name]}
                    if one.normalize:
                        of_metric["value"] = of_metric["value_normalized"]
                    of_concept.append({**names, **told, **of_metric})
            rows += _against_own(of_concept, {one.name: one.metric.signed for one in choices})
    table = pd.DataFrame(rows, columns=columns_of("seed_swap"))
    return table.astype({"same_sign": "boolean", "holds_together": "boolean"})


class _Published:
    """The published sets of a model, each looked up once."""

    def __init__(self, evidence: Evidence, model: str) -> None:
        self._words = evidence.words.get(model)
        self._identity = evidence.seed, "coherence", model
        self._sets: dict[str, tuple[SetLookup, WordVectors, WordVectors]] = {}
        self._coherences: dict[tuple[str, str], Coherence] = {}

    def asked(self, reference: str) -> bool:
        """Whether the set was looked up."""
        return self._words is not None and bool(self._words.asked(reference))

    def word_set(self, reference: str) -> tuple[SetLookup, WordVectors, WordVectors]:
        """What was found of a set that was looked up; vectors as they are and of unit length."""
        if reference not in self._sets:
            assert self._words is not None
            asked = self._words.asked(reference)
            known = {*self._words.known(asked)}
            lost = [word for word in asked if word not in known]
            found = self._words.word_set(reference, asked)
            account = SetLookup(reference, [*asked], dict.fromkeys(found.words, 0), lost=lost)
            self._sets[reference] = account, found, found.of_unit_length
        return self._sets[reference]

    def sizes(self, pair: Sequence[str]) -> dict[str, int]:
        """How many words of two sets were found, for those that were looked up."""
        names = zip(("n_first", "n_second"), pair, strict=True)
        return {n: len(self.word_set(one)[1].words) for n, one in names if self.asked(one)}

    def coherence(self, poles: tuple[str, str]) -> Coherence:
        """Whether the words of two sets hold together."""
        if self._words is None or not all(map(self.asked, poles)):
            return Coherence()
        if poles not in self._coherences:
            generator = identity_generator(*self._identity, *poles)
            self._coherences[poles] = coherence(self._words, *poles, generator)
        return self._coherences[poles]


class _Swap:
    """The sets of a query in a model, with other sets on one side."""

    def __init__(self, found: QueryVectors, published: _Published) -> None:
        self._found, self._published = found, published
        self._useless = {*found.without_direction}
        self._threshold = found.lookup.lost_vocabulary_threshold
        targets, attributes = given = found.word_vectors()
        units = [one.of_unit_length for one in targets], [one.of_unit_length for one in attributes]
        self._own: list[Sides] = [given, units]

    def own(self) -> tuple[Sequence[Sides], str]:
        """Target and attribute sets of the query, with vectors as they are and of unit length."""
        why = self._found.rejected
        reason = why[1] if why else self._unusable(self._found.accounts)
        return ([], reason) if reason else _without_empty(self._own)

    def exchanged(self, role: str, references: Sequence[str]) -> tuple[Sequence[Sides], str]:
        """The same with published sets on one side, or why they have no value.

        The rules of the look-up hold for them as for the query's own sets.
        """
        if unknown := [one for one in references if not self._published.asked(one)]:
            return [], NOT_LOOKED_UP.format(" and ".join(unknown))
        of_targets = role == TARGETS
        kept = self._found.attributes if of_targets else self._found.targets
        accounts, *new = zip(*map(self._published.word_set, references), strict=True)
        reason = rejection([*kept, *accounts], self._threshold) or self._unusable(kept)
        shared = shared_forms(accounts) if of_targets else set()
        if shared and self._found.lookup.shared_words == "refuse":
            reason = reason or SHARED.format(", ".join(sorted(shared)))
        if reason:
            return [], reason
        if shared and self._found.lookup.shared_words == "drop":
            new = [tuple(_without(one, shared) for one in sets) for sets in new]
        both = [
            (put, attributes) if of_targets else (targets, put)
            for put, (targets, attributes) in zip(new, self._own, strict=True)
        ]
        return _without_empty(both)

    def _unusable(self, accounts: Sequence[SetLookup]) -> str:
        forms = self._useless and {form for account in accounts for form in account.found}
        useless = sorted(self._useless.intersection(forms))
        return NO_DIRECTION.format(", ".join(useless)) if useless else ""


def _without_empty(both: Sequence[Sides]) -> tuple[Sequence[Sides], str]:
    empty = [one.name for side in both[0] for one in side if not one.words]
    return ([], NO_WORD.format(" and ".join(empty))) if empty else (both, "")


def _without(words: WordVectors, forms: set[str]) -> WordVectors:
    kept = np.array([form not in forms for form in words.words], dtype=bool)
    left = tuple(form for form in words.words if form not in forms)
    return replace(words, words=left, vectors=words.vectors[kept])


def _takes(metric: BaseMetric, found: QueryVectors) -> bool:
    """Whether a metric takes the query with any words, and always gives the same value."""
    if "random_state" in metric.parameters() or metric.needs or metric.has_own_run_query():
        return False
    counts = len(found.targets), len(found.attributes)
    expected = zip(metric.metric_template, counts, strict=True)
    return all(wanted == count or (wanted == "n" and count > 0) for wanted, count in expected)


def _calculations(choices: Sequence[MetricChoice]) -> list[_Calculation]:
    made: dict[tuple[type, str], _Calculation] = {}
    for one in choices:
        parameters, shown = one.metric.computed_with(one.parameters)
        there = {name: measure for measure, name in (shown or {}).items()}
        key = type(one.metric), json.dumps(parameters, sort_keys=True, default=str)
        calculation = made.setdefault(key, _Calculation(one.metric, parameters, {}))
        calculation.measures[one.name] = there.get(one.measure, one.measure)
    return [*made.values()]


def _values(
    calculations: Sequence[_Calculation], sides: Sequence[Sides], reason: str
) -> dict[str, dict[str, Any]]:
    """Variant -> value and value_normalized, and why they are NaN."""
    values = {}
    for metric, parameters, measures in calculations:
        outcomes, why = [], reason
        # Of directions alone a second calculation would give the same.
        needed = sides[: 1 if metric.of_directions else 2]
        try:
            outcomes = [metric.compute(*side, **parameters) for side in needed]
        except DegenerateError as error:
            why = str(error)
        for variant, measure in measures.items():
            pair = [one.measures.get(measure, math.nan) for one in outcomes] or [math.nan]
            if outcomes and math.isnan(pair[0]):
                why = outcomes[0].reasons.get(measure, "")
            values[variant] = {"value": pair[0], "value_normalized": pair[-1], "reason": why}
    return values


def _against_own(
    rows: Sequence[Mapping[str, Any]], signed: Mapping[str, bool]
) -> Iterator[dict[str, Any]]:
    """The rows of a query, with the value that the query itself has."""
    own = {row["metric"]: row["value"] for row in rows if row["is_own"]}
    for row in rows:
        value, own_value = row["value"], own.get(row["metric"], math.nan)
        known = signed[row["metric"]] and not math.isnan(value) and not math.isnan(own_value)
        same = bool(np.sign(value) == np.sign(own_value)) if known else None
        yield {**row, "own_value": own_value, "same_sign": same}


def coherence(
    words: ModelWords, first: str, second: str, generator: np.random.Generator
) -> Coherence:
    """Whether the words of two published sets hold together in a model.

    Parameters
    ----------
    first, second : references of the sets. generator : of the random divisions, and of the words
        drawn from sets of more than `MOST_WORDS`.
    """
    sets = [
        unit(words.vectors(_drawn(words.known(words.asked(one)), generator)))
        for one in (first, second)
    ]
    if min(map(len, sets)) < 2:
        return Coherence()
    if len(words.asked(first)) == len(words.asked(second)) <= MOST_WORDS:
        pairs = words.pairs(first, second)[1]
        component_of, pairs = PAIRS, unit(pairs.reshape(-1, pairs.shape[-1])).reshape(pairs.shape)
        rows = pairs[:, 0] - pairs[:, 1]
    else:
        component_of, rows = BOTH_SETS, np.concatenate(sets)
        rows = rows - rows.mean(axis=0)
    vectors = np.concatenate(sets)
    is_first = np.arange(len(vectors)) < len(sets[0])
    divided = generator.permuted(np.tile(is_first, (DIVISIONS, 1)), axis=1)
    observed, *by_chance = silhouettes(vectors, np.vstack([is_first, divided]))
    holds = bool(observed > np.quantile(by_chance, SURPASSED))
    return Coherence(first_component(rows), component_of, float(observed), holds)


def _drawn(words: list[str], generator: np.random.Generator) -> list[str]:
    if len(words) <= MOST_WORDS:
        return words
    return [words[i] for i in sorted(generator.permutation(len(words))[:MOST_WORDS])]


def first_component(rows: np.ndarray) -> float:
    """Share of the sum of squares of rows in their first principal direction: (n, dims) -> 0 to 1.

    The rows are not centred; NaN of fewer than two rows, and of zeros.
    """
    if len(rows) < 2:
        return math.nan
    squares = np.linalg.eigvalsh(rows @ rows.T if len(rows) <= rows.shape[1] else rows.T @ rows)
    return float(squares[-1] / squares.sum()) if squares[-1] > 0 else math.nan


def silhouettes(vectors: np.ndarray, is_first: np.ndarray) -> np.ndarray:
    """Mean silhouette (Rousseeuw 1987) of each division into two groups, distances 1 - cosine.

    Parameters
    ----------
    vectors : of length 1, (n, dims). is_first : (divisions, n), whether a word is in the first
        group; at least two words in each.

    Returns
    -------
    (divisions,), from -1 to 1.
    """
    cosines = vectors @ vectors.T
    total = cosines.sum(axis=1)
    with_first = is_first.astype(float) @ cosines  # (divisions, n)
    sizes = is_first.sum(axis=1, keepdims=True)
    sums = np.where(is_first, with_first, total - with_first) - 1
    own = np.where(is_first, sizes, len(vectors) - sizes)
    within = 1 - sums / (own - 1)
    between = 1 - (total - sums - 1) / (len(vectors) - own)
    larger = np.maximum(within, between)
    ratios = np.divide(between - within, larger, out=np.zeros_like(larger), where=larger > 0)
    return ratios.mean(axis=1)


def as_word_lists(
    swapped: pd.DataFrame, settings: Mapping[str, Any]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Published sets as versions of the word lists of a specification curve.

    A version exchanges the sets of one concept by those of one publication in every query that
    contrasts the concept. A version whose values are those of an earlier one, or of the study's own
    sets, has the same words and is left out.

    Parameters
    ----------
    swapped : a table of `seed_swap`. settings : of `fairflow.validity.multiverse`'s
        `specification_curve`.

    Returns
    -------
    A score table of the new queries, and the settings with these: lists, lookups, query_groups.
    """
    own_lists = next(iter(settings["lists"].values()))
    lists, lookups, groups = ({**settings[k]} for k in ("lists", "lookups", "query_groups"))
    seen, parts = set(), []
    swapped = swapped[swapped["role"].notna()]
    for (concept, seeds), rows in swapped.groupby(["concept", "seeds"], sort=False):
        rows = rows.drop_duplicates(["model", "query", "metric"])
        values = rows["value"].round(9)
        cells = rows["model"] + "\n" + rows["query"] + "\n" + rows["metric"]
        told = frozenset(zip(cells, values.fillna("none"), strict=True))
        if rows["is_own"].all() or told in seen or values.equals(rows["own_value"].round(9)):
            continue
        seen.add(told)
        name = f"{concept}: {seeds}"
        new = {query: f"{query} ({name})" for query in rows.loc[~rows["is_own"], "query"]}
        versions = {
            criterion: [new.get(query, query) for query in queries]
            for criterion, queries in own_lists.items()
            if 2 * len(new.keys() & {*queries}) >= len(queries)
        }
        if not versions:
            continue
        lists[name] = versions
        lookups |= {new[q]: lookups[q] for q in new if q in lookups}
        groups |= {new[q]: groups.get(q, q) for q in new}
        parts.append(rows[~rows["is_own"]].assign(query=lambda part, n=new: part["query"].map(n)))
    settings = {**settings, "lists": lists, "lookups": lookups, "query_groups": groups}
    if not parts:
        return pd.DataFrame({PRIMARY: []}), settings
    scores = pd.concat(parts, ignore_index=True)
    scores = scores[["model", "query", "metric", "value", "value_normalized"]]
    facts: dict[str, Any] = {PRIMARY: True, IS_CONTROL: False, "status": "ok"}
    return scores.assign(subquery_digest=scores["query"], **facts), settings
