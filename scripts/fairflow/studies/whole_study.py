"""The tables of a study, several in one job: those of its scores, and those of its models."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.tables import read_scores, read_table, write_table
from fairflow.remains.findings import ModelFindings
from fairflow.statistics.rank_tests import METHODS
from fairflow.studies.aggregation import aggregate, flattened, tabulate, variant_rows
from fairflow.studies.before_after import quality
from fairflow.studies.comparability import control_table, with_controls
from fairflow.studies.coverage import coverage
from fairflow.studies.distinct_tests import Sameness
from fairflow.studies.findings.finding import Results, write_conclusions
from fairflow.studies.findings.statements import findings
from fairflow.studies.model_comparison import compare_models
from fairflow.studies.published.comparison import compare_published
from fairflow.studies.published.publication import printed_scores, read_published
from fairflow.studies.ranking import correlate_rankings, rank_models, scale_audit
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
    how : variants and control_variants (as `variant_rows` takes them), criteria, families, same (as
        of `Sameness`), labels, control_labels, of_items (metrics that measure items).

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
    same = Sameness(**how["same"])
    scores = tabulate(asked, how["criteria"], how["labels"], how["families"], same)
    return {
        "scores.parquet": scores,
        "scores.csv": flattened(scores),
        "coverage.csv": coverage(slices),
        "controls.csv": checked,
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


def write_tables(
    folder: str | Path,
    paths_to_scores: Sequence[str | Path],
    slices: Iterable[tuple[str, str, QueryVectors]],
    lengths: Sequence[pd.DataFrame],
    found: Sequence[ModelFindings],
    how: Mapping[str, Any],
) -> None:
    """Write all tables of a study of word vectors without published numbers, and its conclusions.

    Each is what the rule of its name makes of the same scores.

    Parameters
    ----------
    folder : where they are written to.
    paths_to_scores : a score file a model, its control queries included.
    slices, lengths : see above; lengths may be left out where no metric depends on them.
    found : how good models are, none where nothing could be measured.
    how : see above; and title, signed, subject, quality_labels, level and seed of the study.
    """
    folder = Path(folder)

    def keep(tables: Frames) -> None:
        for file, table in tables.items():
            write_table(table, folder / file)

    def table(name: str) -> pd.DataFrame:
        return read_table(folder / name)

    keep(gathered_scores(paths_to_scores, paths_to_scores, slices, how))
    scores, directions = table("scores.parquet"), how["comparison"]["directions"]
    same = {"vectors": how["vectors"], "derived": how["derived"]}
    keep({"aggregates.csv": aggregate(scores, **how["comparison"], **same)})
    aggregates, printed = table("aggregates.csv"), printed_scores(read_published([]))
    keep({"ranking.csv": rank_models(aggregates, printed, directions, how["incomparable"])})
    correlations = correlate_rankings(table("ranking.csv"), METHODS, directions, how["seed"])
    keep({"correlations.csv": correlations})
    keep(compared_models(scores, aggregates, [], lengths, how))
    keep({"quality.csv": quality(found, how["quality_labels"], how["level"], how["seed"])})
    names = ("published", "controls", "ranking", "pairwise", "rank_probabilities", "scale")
    tables = {name: table(f"{name}.csv") for name in (*names, "quality")}
    said = {key: how[key] for key in ("labels", "vectors", "signed", "subject")}
    stated = findings(Results({"scores": scores, **tables}, **said))
    write_conclusions(how["title"], stated, folder / "conclusions.md", folder / "conclusions.json")
