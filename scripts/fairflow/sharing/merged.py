"""Several runs as one: each cell once, conflicts refused, models ranked on the cells they share.

A run says what its names mean: the words of a query by the digest in its rows, metrics by their
definitions, models by the checksums of their files. A name with two meanings, or a cell with two
values, is a conflict: which of them is right is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from numbers import Real
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError, nearest
from fairflow.files.checksums import identity_digest
from fairflow.scores.ranked import PRIMARY
from fairflow.studies import comparability
from fairflow.studies.aggregation import Rules
from fairflow.studies.claims.claim import Results
from fairflow.studies.claims.study_claims import Stated, stated
from fairflow.studies.distinct_tests import Sameness, adjust_families
from fairflow.studies.model_comparison import ranked_models
from fairflow.studies.ranking import TIE_DECIMALS
from fairflow.studies.wording import listed, listed_briefly

CELL = ["metric", "model", "query", "subquery", "subquery_digest", "measure"]
# Columns that a table of scores must have, and those that are no part of a cell.
NEEDED = (
    *(*CELL, "criterion", "query_label", PRIMARY, "value", "value_normalized", "status"),
    *("reason", "n_words", "n_found", "n_oov", "n_items", "n_clusters", "oov_words"),
    *("duplicated_words", "shared_words", "matched_forms", "p_value", "alternative", "ci_low"),
    *("ci_high", "ci_low_both", "ci_high_both", "ci_level", "null_band_low", "null_band_high"),
    *("p_null_band", "frequency_source", "statistics", "statistics_note", comparability.IS_CONTROL),
    *(*comparability.CONTROL, "draws", "words", "splits", "fair"),
)
_NEAR = 10.0**-TIE_DECIMALS
_OF_A_STUDY = ("study", "criterion", "run", "test_id", "family", "p_holm", "p_bh")
# In a cell, and not the same in every study.
_TOLD_BY_STUDY = (*_OF_A_STUDY, "query_label", *comparability.CONTROL, comparability.IS_CONTROL)
# The words and draws of a score: equal where its numbers of words and its interval are.
_LISTED = (list, tuple, np.ndarray, Mapping)
# How models are compared where the studies do not all say the same.
RULE, COVERAGE, FAMILIES = "abs_avg", 0.5, ["model"]


@dataclass(frozen=True)
class Run:
    """What is read of a run.

    Attributes
    ----------
    name : in messages and tables. version : of fairflow, "" if unknown. seed : None if unknown.
    tables : study -> its scores. checksums : study -> the sha256 of that table.
    studies : study -> title and aggregation, as far as they are known.
    variants : metric -> its `fairflow.scores.variant.Variant`, if it is a metric of fairflow.
    models : name -> what identifies its files. labels : of models.
    vectors, bases : model -> the model whose vectors it shares, or from which it is derived.
    """

    name: str
    tables: Mapping[str, pd.DataFrame]
    checksums: Mapping[str, str]
    version: str = ""
    seed: int | None = None
    studies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    variants: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    vectors: Mapping[str, str] = field(default_factory=dict)
    bases: Mapping[str, str] = field(default_factory=dict)

    @property
    def checksum(self) -> str:
        """Equal for runs with the same tables."""
        return identity_digest(*sorted(self.checksums.items())).hex()


class MergedStudy(NamedTuple):
    """Studies that share cells, as one: what the report takes of a study."""

    study: Mapping[str, Any]
    said: Stated
    frames: Mapping[str, pd.DataFrame]


class Merged(NamedTuple):
    """Runs by name, a row for each cell, and the studies.

    Attributes
    ----------
    cells : rows of scores without what depends on a study, with all their `criteria` and `runs`.
    """

    runs: Sequence[Run]
    cells: pd.DataFrame
    studies: Sequence[MergedStudy]


def merge(
    runs: Iterable[Run],
    variants: Mapping[str, Any],
    incomparable: Mapping[str, str],
    only: Sequence[str] = (),
) -> Merged:
    """Merge runs, whose order changes nothing; of runs with equal tables one is taken.

    Parameters
    ----------
    variants : metric -> its variant; scores by other metrics are in `cells` alone.
    incomparable : metric -> the status that says why no models are compared by it.
    only : names of studies, criteria, queries, metrics and models; of each of these kinds that it
        names, a row has one of the names.

    Raises
    ------
    FairflowError : a column is missing, a name means different things in two runs, a cell differs
        in a column, or `only` names what is in no run.
    """
    distinct = {run.checksum: run for run in sorted(runs, key=lambda run: run.name, reverse=True)}
    ordered = sorted(distinct.values(), key=lambda run: run.name)
    rows = _chosen(pd.concat(map(_rows, ordered), ignore_index=True), only)
    _check_names(ordered, rows)
    _check_cells(rows)
    cells = rows.drop_duplicates(CELL).drop(columns=[*_OF_A_STUDY], errors="ignore").set_index(CELL)
    for column, name in (("run", "runs"), ("criterion", "criteria")):
        cells[name] = rows.groupby(CELL)[column].agg(lambda of: "; ".join(sorted({*of})))
    rows = rows[rows["metric"].isin([*variants])]
    place = rows["run"] + "/" + rows["study"]
    measured = (rows["metric"] + "/" + rows["query"]).groupby(place).agg(set)
    groups = rows.groupby(place.map(comparability.linked(measured)))
    studies = [
        _merged_study(f"comparison-{number}", group, ordered, variants, incomparable)
        for number, (_, group) in enumerate(groups, start=1)
    ]
    return Merged(ordered, cells.sort_index().reset_index(), studies)


def _rows(run: Run) -> pd.DataFrame:
    tables = []
    for study, table in sorted(run.tables.items()):
        if missing := [name for name in NEEDED if name not in table]:
            raise FairflowError(
                f"{run.name}, study {study}: the table of scores has no column {listed(missing)}. "
                "Another version of fairflow wrote it: run that study again with this one"
            )
        tables.append(table.assign(study=study, run=run.name))
    return pd.concat(tables)


def _chosen(rows: pd.DataFrame, only: Sequence[str]) -> pd.DataFrame:
    kinds = [rows[kind] for kind in ("study", "criterion", "query", "metric", "model")]
    known = {name for kind in kinds for name in kind}
    for name in {*only} - known:
        what = "study, criterion, query, metric or model of these runs"
        raise FairflowError(f"--only {name}: it is no {what}. {nearest(name, known)}")
    for kind in kinds:
        if not {*only}.isdisjoint(kind):
            rows = rows[kind.loc[rows.index].isin(only)]
    if rows.empty:
        raise FairflowError(f"--only {' '.join(only)}: no score has a name of each kind")
    return rows


def _check_names(runs: Sequence[Run], rows: pd.DataFrame) -> None:
    """Compare what every two runs say about the names that both use."""
    digests = rows.groupby(["run", "metric", "query"])["subquery_digest"].agg(
        lambda of: f"digest of the words or items {', '.join(sorted({*of}))}"
    )
    for one, other in combinations(runs, 2):
        metrics = ({n: v.definition for n, v in run.variants.items()} for run in (one, other))
        said: dict[str, Iterable[Mapping[str, Any]]] = {"metric": metrics}
        said["model"] = (one.models, other.models)
        for kind, (mine, theirs) in said.items():
            used = ({*rows.loc[rows["run"] == run.name, kind]} for run in (one, other))
            for name in sorted(set.intersection({*mine} & {*theirs}, *used)):
                both = {*mine[name]} & {*theirs[name]}
                keys = sorted(key for key in both if mine[name][key] != theirs[name][key])
                found = [listed(f"{key} {of[name][key]}" for key in keys) for of in (mine, theirs)]
                if keys:
                    raise _conflict(kind, name, [one.name, other.name], found)
        both = pd.DataFrame({run.name: digests.get(run.name) for run in (one, other)}).dropna()
        for (_, query), found in zip(both.index, both.to_numpy(), strict=True):
            if found[0] != found[1]:
                raise _conflict("query", query, [*both], found)


def _check_cells(rows: pd.DataFrame) -> None:
    """Compare the columns of the cells that several runs or studies hold."""
    columns = [name for name in rows if name not in (*CELL, *_TOLD_BY_STUDY)]
    repeated = rows[rows.duplicated(CELL, keep=False)]
    for cell, group in repeated.groupby(CELL, sort=False, dropna=False):
        first, *others = group.to_dict("records")
        for other, name in product(others, columns):
            # A p-value is as precise below 0.000001 as above.
            nearest_0 = 0.0 if name.startswith("p_") else _NEAR
            if not _same(first[name], other[name], nearest_0):
                found = [
                    f"{name} {shorten(str(row[name]), 80)} (study {row['study']})"
                    for row in (first, other)
                ]
                names = ", ".join(dict.fromkeys(map(str, cell)))
                raise _conflict("cell", names, [first["run"], other["run"]], found)


def _same(one: Any, other: Any, nearest_0: float) -> bool:
    """Whether two values are equal, numbers as precisely as vectors of float32 allow."""
    if isinstance(one, Real) and isinstance(other, Real):
        return bool(np.isclose(float(one), float(other), _NEAR, nearest_0, equal_nan=True))
    if isinstance(one, _LISTED) or isinstance(other, _LISTED):
        return True
    return bool(one == other or (pd.isna(one) and pd.isna(other)))


def _conflict(kind: str, name: str, runs: Sequence[str], found: Sequence[str]) -> FairflowError:
    """An error that names both runs, what differs, and what to do."""
    places = listed(f"{text} in {run}" for text, run in zip(found, runs, strict=True))
    what = "model, metric or query" if kind == "cell" else kind
    return FairflowError(
        f"the {kind} {name} differs: {places}. Rename the {what} in one of the two and run it "
        "again, leave one run out, or name what to merge after --only"
    )


def _merged_study(
    name: str,
    rows: pd.DataFrame,
    runs: Sequence[Run],
    variants: Mapping[str, Any],
    incomparable: Mapping[str, str],
) -> MergedStudy:
    """The models of all studies in `rows`, compared as those of one study are."""
    own = [run for run in runs if run.name in {*rows["run"]}]
    declared = [run.studies[name] for run in own for name in {*rows["study"]} & {*run.studies}]
    rules = {one.get("aggregation", RULE) for one in declared}
    metrics = {name: variants[name] for name in sorted(rows["metric"].unique())}
    of_others = [name for name, one in metrics.items() if not one.of_words]
    scores = _scores(rows, of_others)
    lengths = {len(draws) for draws in scores["draws"]} - {0}
    if len({run.seed for run in own}) > 1 or len(lengths) > 1:
        # Draws of different rows belong together only if they were made with one setting.
        scores["draws"] = None
    models = sorted(scores["model"].unique())
    vectors, derived = _lineage(runs, models)
    statistics = {name: one.statistic for name, one in metrics.items()}
    growing = {name: one.grows_with_length for name, one in metrics.items()}
    same = Sameness(statistics, vectors, growing)
    scores = scores.assign(**adjust_families(scores, FAMILIES, same))
    directions = {name: one.direction for name, one in metrics.items()}
    rule = rules.pop() if len(rules) == 1 else RULE
    how = rule, directions, COVERAGE, vectors, derived, incomparable
    _, tables = ranked_models(scores, Rules(*how, _query_groups(scores, of_others)))
    frames = {"scores": scores, **tables}
    labels = dict(zip(scores["query"], scores["query_label"], strict=True)) | _labels(runs, models)
    told: dict[str, Any] = {
        "labels": labels | {name: one.label for name, one in metrics.items()},
        "signed": [name for name, direction in directions.items() if direction["signed"]],
        "of_others": of_others,
        "readings": {name: one.reading.facts for name, one in metrics.items()},
    }
    criteria = scores.groupby("criterion")["query"].agg(lambda of: [*of.unique()]).to_dict()
    titles = {one.get("title", "") for one in declared} - {""} or {*rows["study"]}
    names = {"name": name, "title": listed_briefly(sorted(titles), 2)}
    asked = {"models": models, "metrics": [*metrics], "criteria": criteria}
    settings = {"aggregation": rule, "families": FAMILIES, "statistics": True}
    found = stated(names["title"], Results(frames, vectors=vectors, **told))
    return MergedStudy(names | asked | settings | told, found, frames)


def _scores(rows: pd.DataFrame, of_others: Sequence[str]) -> pd.DataFrame:
    """Each cell once in a criterion, with what the control queries of any study say of a model."""
    order = ["metric", "criterion", "query", "model"]
    scores = rows.drop_duplicates(["criterion", *CELL]).sort_values(order, kind="stable")
    is_control = scores["query"].map(rows.groupby("query")[comparability.IS_CONTROL].any())
    scores = scores.assign(**{comparability.IS_CONTROL: is_control}).reset_index(drop=True)
    # A control that fails counts before others, and one that passes before none.
    words = rows[~rows["metric"].isin(of_others)]
    first = words.assign(
        fails=words["control_status"] == comparability.CONTROL_FAILS,
        has=words["control_status"] != comparability.NO_CONTROL,
    ).sort_values(["fails", "has", "control"], ascending=False, kind="stable")
    said = first.drop_duplicates("model").set_index("model")
    of_words = ~scores["metric"].isin(of_others)
    for name in comparability.CONTROL:
        scores[name] = scores[name].mask(of_words, scores["model"].map(said[name]))
    return scores


def _query_groups(scores: pd.DataFrame, of_others: Sequence[str]) -> dict[str, str]:
    """Query of words -> the first that it shares words with, directly or by others.

    Without any words, queries are taken to share theirs.
    """
    own = scores[~scores["metric"].isin(of_others)]
    words: dict[str, set[str]] = {query: set() for query in own["query"].unique()}
    for query, found in zip(own["query"], own["words"], strict=True):
        words[query] |= {word["word"] for word in found}
    return comparability.linked({query: found or {""} for query, found in words.items()})


def _lineage(runs: Sequence[Run], models: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The name of each model's vectors; and the model here that a model is derived from, if any."""
    same, bases, by_sum = dict[str, str](), dict[str, str](), dict[str, str]()
    for run in reversed(runs):
        same, bases = {**same, **run.vectors}, {**bases, **run.bases}
        sums = {name: one.get("vectors_sha256") for name, one in run.models.items()}
        by_sum |= {name: digest for name, digest in sums.items() if digest}
    first: dict[str, str] = {}
    for model in sorted({*models} & {*by_sum} - {*bases} - {*same}):
        other = first.setdefault(by_sum[model], model)
        same |= {model: other} if other != model else {}
    vectors = {model: comparability.vectors_of(model, same) for model in models}
    first = {name: model for model, name in reversed(vectors.items())}
    derived: dict[str, str] = {}
    for model, own in vectors.items():
        base = bases.get(model)
        while base and comparability.vectors_of(base, same) not in {*first} - {own}:
            base = bases.get(base)
        derived |= {model: first[comparability.vectors_of(base, same)]} if base else {}
    return vectors, derived


def _labels(runs: Sequence[Run], models: Sequence[str]) -> dict[str, str]:
    """Labels of models; those that several models have are followed by the name."""
    given = {name: label for run in reversed(runs) for name, label in run.labels.items()}
    labels = {name: given.get(name, name) for name in models}
    shown = [*labels.values()]
    return {n: f"{one} ({n})" if shown.count(one) > 1 else one for n, one in labels.items()}
