"""The tables of a study that one job makes: those of its scores, and those of its models."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.tables import read_scores
from fairflow.queries.lookup import SetLookup
from fairflow.studies.aggregation import flattened, tabulate, variant_rows
from fairflow.studies.comparability import control_table, with_controls
from fairflow.studies.distinct_tests import Sameness
from fairflow.studies.model_comparison import compare_models
from fairflow.studies.published.comparison import compare_published
from fairflow.studies.published.publication import read_published
from fairflow.studies.ranking import scale_audit
from fairflow.vectors.query_vectors import QueryVectors

Frames = dict[str, pd.DataFrame]


def gathered_scores(
    paths_to_scores: Sequence[str | Path],
    paths_to_control_scores: Sequence[str | Path],
    slices: Iterable[tuple[str, str, QueryVectors]],
    how: Mapping[str, Any],
) -> Frames:
    """The scores of a study, its control queries, and the words that its models hold.

    Parameters
    ----------
    paths_to_scores : files with the scores of the study's queries. paths_to_control_scores : of its
        control queries. slices : (model, query, vectors).
    how : variants and control_variants (as `variant_rows` takes them), criteria, families, labels,
        control_labels, of_items (metrics that measure items), and the fields of `Sameness`.

    Returns
    -------
    The tables scores, controls and coverage by the names of their files.
    """
    controls = read_scores(paths_to_control_scores) if paths_to_control_scores else pd.DataFrame()
    controls = variant_rows(controls, how["control_variants"], [*how["control_labels"]])
    checked = control_table(controls, how["control_labels"])
    queries = [query for group in how["criteria"].values() for query in group]
    asked = variant_rows(read_scores(paths_to_scores), how["variants"], queries)
    asked = with_controls(asked, checked, how["control_labels"], how["of_items"])
    same = Sameness(*(how[key] for key in Sameness._fields))
    scores = tabulate(asked, how["criteria"], how["labels"], how["families"], same)
    return {
        "scores.parquet": scores,
        "scores.csv": flattened(scores),
        "coverage.csv": coverage(slices),
        "controls.csv": checked,
    }


def coverage(slices: Iterable[tuple[str, str, QueryVectors]]) -> pd.DataFrame:
    """One row per model and distinct word set.

    Parameters
    ----------
    slices : (model, query, vectors).

    Returns
    -------
    Columns model, word_set, queries (that use it), words, found, lost, duplicated, shared (counts
    of words, found + lost = words), as_written (share of found words whose form is the word
    itself), the lost, duplicated and shared words, those found by a vector composed of their parts,
    and same_vector_words: what is one word to the model, because it has one vector for several
    words of a query, at least one of them of the set.
    """
    rows: dict[tuple[str, str, tuple[str, ...]], dict[str, Any]] = {}
    for model, query, vectors in slices:
        for account in vectors.accounts:
            key = model, account.name, tuple(account.words)
            row = rows.setdefault(key, {"model": model, **_row(account)})
            row["queries"].append(query)
            equal = [f for f in vectors.equal_forms if not account.found.keys().isdisjoint(f)]
            row["same_vector_words"] += map(" = ".join, equal)
    for row in rows.values():
        row["queries"] = " ".join(dict.fromkeys(row["queries"]))
        row["same_vector_words"] = ", ".join(dict.fromkeys(row["same_vector_words"]))
    return pd.DataFrame(rows.values(), columns=_COVERAGE)


_COVERAGE = [
    *("model", "word_set", "queries", "words", "found", "lost", "duplicated", "shared"),
    *("as_written", "lost_words", "duplicated_words", "shared_words", "composed_words"),
    "same_vector_words",
]


def _row(account: SetLookup) -> dict[str, Any]:
    as_written = sum(form == account.words[position] for form, position in account.found.items())
    kinds = ("lost", "duplicated", "shared")
    return {
        "word_set": account.name,
        "queries": [],
        "words": len(account.words),
        "found": account.n_found,
        **{kind: len(getattr(account, kind)) for kind in kinds},
        "as_written": as_written / len(account.found) if account.found else 0.0,
        **{f"{kind}_words": ", ".join(getattr(account, kind)) for kind in (*kinds, "composed")},
        "same_vector_words": [],
    }


def compared_models(
    scores: pd.DataFrame,
    aggregates: pd.DataFrame,
    paths_to_published: Sequence[str | Path],
    lengths: Sequence[pd.DataFrame],
    how: Mapping[str, Any],
) -> Frames:
    """A study's models beside each other, beside published ones, and beside their vectors' length.

    Parameters
    ----------
    scores, aggregates : tables of the study. lengths : of the vectors of each model.
    how : comparison (arguments of `aggregate`), vectors, derived, incomparable, query_groups,
        scaling; and of published models stand_ins, absent, left_out, and ranked, the name of the
        file whose scores are ranked.

    Returns
    -------
    The tables of `ModelComparison`, published and scale by the names of their files.
    """
    same = {key: how[key] for key in ("vectors", "derived", "incomparable", "query_groups")}
    compared = compare_models(scores, **how["comparison"], **same)
    if compared.rank_probabilities.empty:
        for note in compared.rank_uncertainty["note"].unique():
            logging.info("No rank probabilities: %s", note)
    numbers = read_published(paths_to_published)
    published = compare_published(
        numbers[~numbers["model"].isin(how["left_out"])],
        scores,
        aggregates,
        how["stand_ins"],
        how["absent"],
        how["comparison"]["directions"],
        how["ranked"],
    )
    audits = [*lengths] or [pd.DataFrame(columns=["model", "mean_norm"])]
    scale = scale_audit(
        scores, pd.concat(audits, ignore_index=True), how["scaling"], **how["comparison"]
    )
    tables = compared._asdict() | {"published": published, "scale": scale}
    return {f"{name}.csv": table for name, table in tables.items()}
