"""The scores of a study in one table, its control queries, and the words that its models hold.

A score file holds all that a metric with its parameters says of a query: every measure, tested on
every alternative. A variant chooses which measure is ranked and which alternative is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError
from fairflow.queries.lookup import SetLookup
from fairflow.scores.ranked import PRIMARY, ranked_rows
from fairflow.studies.comparability import control_table, with_controls
from fairflow.studies.distinct_tests import Sameness, adjust_families
from fairflow.studies.tables import columns_of
from fairflow.vectors.query_vectors import QueryVectors


def gathered_scores(
    stored: pd.DataFrame,
    slices: Iterable[tuple[str, str, QueryVectors]],
    how: Mapping[str, Any],
) -> dict[str, pd.DataFrame]:
    """The scores of a study, its control queries, and the words that its models hold.

    Parameters
    ----------
    stored : rows of score files, those of the study and of its control queries among them.
    slices : (model, query, vectors).
    how : variants and control_variants (as `variant_rows` takes them), criteria, families, labels,
        control_labels, of_others (metrics that measure no words), fair (metric -> measure -> its
        fair value), and the fields of `Sameness`.

    Returns
    -------
    The tables scores, controls and coverage by the names of their files.
    """
    controls = variant_rows(stored, how["control_variants"], [*how["control_labels"]])
    checked = control_table(controls, how["control_labels"])
    queries = [query for group in how["criteria"].values() for query in group]
    asked = variant_rows(stored, how["variants"], queries)
    asked = with_controls(asked, checked, how["control_labels"], how["of_others"])
    measured = zip(asked["metric"], asked["measure"], strict=True)
    asked["fair"] = [how["fair"].get(one, {}).get(measure, np.nan) for one, measure in measured]
    same = Sameness(*(how[key] for key in Sameness._fields))
    scores = tabulate(asked, how["criteria"], how["labels"], how["families"], same)
    return {
        "scores.parquet": scores,
        "scores.csv": flattened(scores),
        "coverage.csv": coverage(slices),
        "controls.csv": checked,
    }


def tabulate(
    scores: pd.DataFrame,
    criteria: Mapping[str, Sequence[str]],
    labels: Mapping[str, str],
    families: Sequence[str],
    same: Sameness | None = None,
) -> pd.DataFrame:
    """Scores with the criterion and label of each query, measurements and adjusted p-values.

    Parameters
    ----------
    scores : rows of score files, with what control queries say (`controls.with_controls`): these
        are in no family. criteria : criterion -> queries.
    families, same : columns that make a family of tests, and which tests are one; see
        `adjust_families`.
    """
    criterion_of = {query: name for name, group in criteria.items() for query in group}
    table = scores.copy()
    table.insert(2, "criterion", table["query"].map(criterion_of))
    table.insert(4, "query_label", table["query"].map(labels))
    position = table.columns.get_loc("p_value") + 1
    for name, column in reversed(list(adjust_families(table, families, same).items())):
        table.insert(position, name, column)
    return table


def flattened(scores: pd.DataFrame) -> pd.DataFrame:
    """The table for a CSV file: lists of words joined, draws and values of words left out."""
    flat = scores.drop(columns=["words", "matched_forms", "splits", "draws"])
    respelt = [
        ", ".join(f"{w['word']} as {w['form']}" for w in row) for row in scores["matched_forms"]
    ]
    for name in ("targets", "attributes", "oov_words", "duplicated_words", "shared_words"):
        flat[name] = flat[name].map(", ".join)
    return flat.assign(matched_forms=respelt)


def coverage(slices: Iterable[tuple[str, str, QueryVectors]]) -> pd.DataFrame:
    """One row per model and distinct word set.

    Parameters
    ----------
    slices : (model, query, vectors).
    """
    rows: dict[tuple[str, str, tuple[str, ...]], dict[str, Any]] = {}
    for model, query, vectors in slices:
        for account in vectors.accounts:
            key = model, account.name, tuple(account.words)
            row = rows.setdefault(key, {"model": model, **_row(account)})
            row["queries"].append(query)
            equal = [f for f in vectors.equal_forms if not account.found.keys().isdisjoint(f)]
            row["same_vector_words"] += map(" = ".join, equal)
            row["distinct"] = len({vectors.vector_of[form] for form in account.found})
    for row in rows.values():
        row["queries"] = " ".join(dict.fromkeys(row["queries"]))
        row["same_vector_words"] = ", ".join(dict.fromkeys(row["same_vector_words"]))
    return pd.DataFrame(rows.values(), columns=columns_of("coverage"))


def _row(account: SetLookup) -> dict[str, Any]:
    as_written = sum(form == account.words[position] for form, position in account.found.items())
    kinds = {"oov": account.lost, "duplicated": account.duplicated, "shared": account.shared}
    return {
        "word_set": account.name,
        "queries": [],
        "words": len(account.words),
        "found": account.n_found,
        **{kind: len(words) for kind, words in kinds.items()},
        "distinct": 0,
        "as_written": as_written / len(account.found) if account.found else 0.0,
        **{f"{kind}_words": ", ".join(words) for kind, words in kinds.items()},
        "composed_words": ", ".join(account.composed),
        "same_vector_words": [],
    }


def sample_text(n_items: float, sampled_from: float | None) -> str:
    """'40 of 112 items'; empty where all items were used."""
    return "" if pd.isna(sampled_from) else f"{n_items:,.0f} of {sampled_from:,.0f} items"


def sample_texts(scores: pd.DataFrame) -> list[str | None]:
    """`sample_text` of each row of a study's scores, None where all items were used."""
    if "sampled_from" not in scores:
        return [None] * len(scores)
    numbers = zip(scores["n_items"], scores["sampled_from"], strict=True)
    return [sample_text(*of_row) or None for of_row in numbers]


_KEY = ["model", "query", "subquery"]
_TESTED = ("alternative", "p_value", "p_method", "p_smallest", "p_error", "p_normal")


def variant_rows(
    stored: pd.DataFrame, variants: Mapping[str, Mapping[str, Any]], queries: Sequence[str]
) -> pd.DataFrame:
    """Rows of the score files as those of each variant: model by model, variant by variant.

    Parameters
    ----------
    stored : rows of score files, in the order of models.
    variants : variant -> computed (what `metric` says in its score files); and of a variant of
        words measure (the one that is primary), alternative (of the test; None for the metric's
        usual one) and measures (name in the file -> its name here, None for all as they are).
    queries : those that are wanted, in order.

    Raises
    ------
    FairflowError : a (sub-)query has no such measure.
    """
    if stored.empty:
        return stored
    wanted = stored[stored["query"].isin([*queries])]
    every = {name: wanted[wanted["metric"] == s["computed"]] for name, s in variants.items()}
    parts = [_rows(some, name, variants[name]) for name, some in every.items() if len(some)]
    if not parts:
        return wanted.iloc[:0].drop(columns="tests")
    rows = pd.concat(parts, ignore_index=True).drop(columns="tests")
    # Model by model, variant by variant, query by query.
    models, places = (
        {name: n for n, name in enumerate(of)} for of in (stored["model"].unique(), queries)
    )
    of_variant = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    keys = rows["query"].map(places), of_variant, rows["model"].map(models)
    return rows.iloc[np.lexsort(keys)].reset_index(drop=True)


def _rows(stored: pd.DataFrame, name: str, shown: Mapping[str, Any]) -> pd.DataFrame:
    """Rows of one computation as those of a variant."""
    rows = stored.assign(metric=name)
    if "measure" not in shown:
        return rows
    if shown["measures"]:
        rows["measure"] = rows["measure"].map(shown["measures"])
        rows = rows[rows["measure"].notna()].copy()
    headline = rows["measure"] == shown["measure"]
    without = ~rows.set_index(_KEY).index.isin(rows[headline].set_index(_KEY).index)
    if without.any():
        query, found = rows.loc[without, "query"].iloc[0], ", ".join(set(rows["measure"]))
        raise FairflowError(f"{name}, {query}: no measure {shown['measure']!r}, only {found}")
    # The values of words are in the rows of the primary measure.
    stored_words = ranked_rows(stored).set_index(_KEY)["words"].to_dict()
    none = np.empty(0, dtype=object)
    keys = zip(rows[_KEY].itertuples(index=False, name=None), headline, strict=True)
    words = [stored_words[key] if head else none for key, head in keys]
    rows = rows.assign(words=pd.Series(words, rows.index, dtype=object), **{PRIMARY: headline})
    return _tested(rows, shown["alternative"])


def _tested(rows: pd.DataFrame, alternative: str | None) -> pd.DataFrame:
    """With the test of an alternative, where there is one."""
    if alternative is None:
        return rows
    found = [
        {test["alternative"]: test for test in tests}.get(alternative) for tests in rows["tests"]
    ]
    given = np.array([test is not None for test in found])
    for column in _TESTED:
        rows.loc[given, column] = [test[column] for test in found if test is not None]
    return rows
