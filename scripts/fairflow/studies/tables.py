"""The tables of a study: the one list from which rules, figures, report and paper take theirs.

A new table is an entry here, a function of this room that makes it, and a rule that calls it.
"""

from __future__ import annotations

from dataclasses import dataclass

# Who reads tables: the target `rankings`, every figure, the report's page, the LaTeX tables of a
# study, the macros of all numbers.
RANKINGS, FIGURES, REPORT, LATEX, NUMBERS = "rankings", "figures", "report", "latex", "numbers"
ALL = (RANKINGS, FIGURES, REPORT, LATEX, NUMBERS)


@dataclass(frozen=True)
class StudyTable:
    """A table in the folder of a study.

    Attributes
    ----------
    about : its columns, or what it tells.
    readers : which of those above. formats : of its files, the one that is read first.
    of_language_models : whether only a study with language models has it.
    """

    name: str
    about: str
    readers: tuple[str, ...] = (REPORT,)
    formats: tuple[str, ...] = ("csv",)
    of_language_models: bool = False

    @property
    def files(self) -> list[str]:
        """Names of its files."""
        return [f"{self.name}.{suffix}" for suffix in self.formats]

    @property
    def file(self) -> str:
        """The one that is read."""
        return self.files[0]


STUDY_TABLES = (
    StudyTable(
        "scores",
        "model, metric, criterion, query, query_label, subquery, measure, headline, value (NaN if "
        "undefined), n_words, n_lost, status, reason, words (values of single words), and those of "
        "`fairflow.statistics.uncertainty.Uncertainty`; figures are given the headline measure",
        (RANKINGS, FIGURES, REPORT, NUMBERS),
        ("parquet", "csv"),
    ),
    StudyTable(
        "aggregates",
        "criterion, metric, model, aggregation, value, value_common, n_queries, n_defined, "
        "n_common, undefined, status, note",
        ALL,
    ),
    StudyTable(
        "ranking",
        "source, criterion, metric, model, score, rank (1 = weakest association), n_queries, "
        "n_common, status, note, control (see `fairflow.studies.controls.with_controls`)",
        ALL,
    ),
    StudyTable(
        "correlations",
        "source, criterion, method, metric_row, metric_column, correlation, n_models and its test",
        ALL,
    ),
    StudyTable(
        "published",
        "table, model, published_model, metric, scope, published, decimals, computed, difference, "
        "verdict, reason and more",
        (FIGURES, REPORT, LATEX, NUMBERS),
    ),
    StudyTable(
        "coverage",
        "model, word_set, queries, words, found, lost, lost_words and more",
        (FIGURES, REPORT),
    ),
    StudyTable(
        "rank_probabilities",
        "of `fairflow.studies.model_comparison.ModelComparison`, as the four that follow",
        (RANKINGS, FIGURES, REPORT),
    ),
    StudyTable("rank_uncertainty", "the expected rank of each model, its interval", ALL),
    StudyTable("pairwise", "every two models compared", (RANKINGS, FIGURES, REPORT)),
    StudyTable("friedman", "whether models differ at all", (RANKINGS, FIGURES, REPORT, LATEX)),
    StudyTable("mean_ranks", "mean rank over queries", (RANKINGS, FIGURES, REPORT)),
    StudyTable("controls", "model, query, metric, value, p_value, status and more"),
    StudyTable(
        "scale",
        "criterion, metric, scales_with_length, and how far the ranking follows vectors' length",
    ),
    StudyTable("conclusions", "a heading and a list of sentences", (), ("md",)),
    StudyTable(
        "language_models",
        "what each model is and how its texts became pieces and vectors",
        of_language_models=True,
    ),
    StudyTable("carriers", "model, query, carrier, effect_size", of_language_models=True),
    StudyTable(
        "invalid_items", "model, metric, query, item, status, reason", of_language_models=True
    ),
)


def study_tables(reader: str | None = None, language_models: bool = False) -> list[StudyTable]:
    """The tables that a reader takes, or all; those of language models only where asked for."""
    return [
        table
        for table in STUDY_TABLES
        if (reader is None or reader in table.readers)
        and (language_models or not table.of_language_models)
    ]
