"""All tables of a study of word vectors at once, from the scores of its models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.atomic import atomic_path
from fairflow.files.tables import read_scores, read_table, write_table
from fairflow.statistics.correlation_tests import METHODS
from fairflow.studies.aggregation import aggregate, flattened, tabulate
from fairflow.studies.conclusions import conclusions
from fairflow.studies.controls import control_table, with_controls
from fairflow.studies.distinct_tests import Sameness
from fairflow.studies.model_comparison import compare_models
from fairflow.studies.published.comparison import compare_published
from fairflow.studies.published.publication import printed_scores, read_published
from fairflow.studies.ranking import correlate_rankings, rank_models
from fairflow.studies.scale import scale_audit
from fairflow.studies.variant_rows import variant_rows


def write_tables(
    folder: str | Path,
    paths_to_scores: Sequence[str | Path],
    coverage: Sequence[pd.DataFrame],
    audits: Sequence[pd.DataFrame],
    how: Mapping[str, Any],
) -> None:
    """Write the tables of a study without published numbers, and its conclusions.

    Each is what the rule of its name makes of the same scores.

    Parameters
    ----------
    folder : where they are written to, under the names of `STUDY_TABLES`.
    paths_to_scores : a score file a model, its control queries included.
    coverage, audits : the tables of each model; audits may be left out where no metric depends on
        the length of vectors.
    how : title, criteria, variants and control_variants (as `variant_rows` takes them), families,
        same (as of `Sameness`), labels, comparison (arguments of `aggregate`), vectors, derived,
        directions, scaling, signed, control_labels and seed of the study.
    """
    folder = Path(folder)
    every = read_scores(paths_to_scores)
    queries = [query for group in how["criteria"].values() for query in group]
    asked = variant_rows(every, how["variants"], queries)
    controls = variant_rows(every, how["control_variants"], [*how["control_labels"]])
    table = tabulate(
        asked, how["criteria"], how["labels"], how["families"], Sameness(**how["same"])
    )
    write_table(table, folder / "scores.parquet")
    write_table(flattened(table), folder / "scores.csv")
    write_table(pd.concat(coverage, ignore_index=True), folder / "coverage.csv")
    write_table(control_table(controls, how["control_labels"]), folder / "controls.csv")
    scores = read_table(folder / "scores.parquet")
    _compare(folder, scores, how)
    lengths = pd.concat([pd.DataFrame(columns=["model", "mean_norm"]), *audits])
    scale = scale_audit(scores, lengths, how["scaling"], **how["comparison"])
    write_table(scale, folder / "scale.csv")
    _conclude(folder, scores, how)


def _compare(folder: Path, scores: pd.DataFrame, how: Mapping[str, Any]) -> None:
    """The tables of models beside each other."""
    same = {"vectors": how["vectors"], "derived": how["derived"]}
    write_table(aggregate(scores, **how["comparison"], **same), folder / "aggregates.csv")
    aggregates = read_table(folder / "aggregates.csv")
    none = read_published([])
    ranking = rank_models(aggregates, printed_scores(none), how["directions"], how["scaling"])
    controls = read_table(folder / "controls.csv")
    write_table(with_controls(ranking, controls), folder / "ranking.csv")
    ranking = read_table(folder / "ranking.csv")
    correlations = correlate_rankings(ranking, METHODS, how["directions"], how["seed"])
    write_table(correlations, folder / "correlations.csv")
    compared = compare_models(scores, **how["comparison"], **same, scaling=how["scaling"])
    for name in ("rank_probabilities", "rank_uncertainty", "pairwise", "friedman", "mean_ranks"):
        write_table(getattr(compared, name), folder / f"{name}.csv")
    published = compare_published(none, scores, aggregates, {}, {}, how["directions"])
    write_table(published, folder / "published.csv")


def _conclude(folder: Path, scores: pd.DataFrame, how: Mapping[str, Any]) -> None:
    names = ("published", "controls", "ranking", "pairwise", "scale")
    tables = {name: read_table(folder / f"{name}.csv") for name in names}
    said = {key: how[key] for key in ("labels", "vectors", "signed")}
    text = conclusions(how["title"], scores, **tables, **said)
    with atomic_path(folder / "conclusions.md") as temporary:
        temporary.write_text(text, encoding="utf-8")
