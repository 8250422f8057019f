"""The tables of a study: the one list from which rules, figures, report and paper take theirs.

A new table is an entry here and a function of this room, called by the script of a rule.
"""

from __future__ import annotations

from dataclasses import dataclass

# Who reads tables: the target `rankings`, every figure, the report's page, the LaTeX tables of a
# study, the macros of all numbers; and, of the tables that only some studies have, the conclusions.
RANKINGS, FIGURES, REPORT, LATEX, NUMBERS = "rankings", "figures", "report", "latex", "numbers"
ALL = (RANKINGS, FIGURES, REPORT, LATEX, NUMBERS)
CONCLUSIONS = "conclusions"

# Which studies have a table: every one, those with language models, those that ask them about
# items, those that compare models before and after, those that compare them in every specification.
EVERY, LANGUAGE, ITEMS = "every study", "language models", "items"
COMPARING, MULTIVERSE = "before and after", "several specifications"
KINDS = (LANGUAGE, ITEMS, COMPARING, MULTIVERSE)


@dataclass(frozen=True)
class StudyTable:
    """A table in the folder of a study.

    Attributes
    ----------
    about : its columns, or what it tells.
    readers : which of those above. formats : of its files, the one that is read first.
    of : which studies have it. rule : of the workflow, that makes it.
    label : what Snakemake's report calls it; its name where empty.
    """

    name: str
    about: str
    readers: tuple[str, ...] = (REPORT,)
    formats: tuple[str, ...] = ("csv",)
    of: str = EVERY
    rule: str = "tabulate_study"
    label: str = ""

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
        "undefined), control_query, control (see `fairflow.studies.comparability`), n_words, "
        "n_lost, sampled_from, n_items, n_units, status, reason, words (values of single words), "
        "and those of `fairflow.statistics.uncertainty.Uncertainty`; figures are given the "
        "headline measure",
        (RANKINGS, FIGURES, REPORT, NUMBERS),
        ("parquet", "csv"),
        rule="tabulate_scores",
    ),
    StudyTable(
        "aggregates",
        "criterion, metric, model, aggregation, value, value_common, n_queries, n_defined, "
        "n_common, undefined, status, note",
        ALL,
        rule="aggregate_scores",
    ),
    StudyTable(
        "ranking",
        "source, criterion, metric, model, score, rank (1 = weakest association), n_queries, "
        "n_common, status, note, control (what the model's control queries say)",
        ALL,
        rule="rank_models",
    ),
    StudyTable(
        "correlations",
        "source, criterion, method, metric_row, metric_column, correlation, n_models and its test",
        ALL,
        rule="correlate_rankings",
    ),
    StudyTable(
        "published",
        "table, model, published_model, metric, scope, published, decimals, computed, difference, "
        "verdict, reason and more",
        (FIGURES, REPORT, LATEX, NUMBERS),
    ),
    StudyTable(
        "coverage",
        "model, word_set, queries, words, found, lost, lost_words, same_vector_words and more",
        (FIGURES, REPORT),
        rule="tabulate_scores",
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
    StudyTable(
        "controls", "model, query, metric, value, p_value, status and more", rule="tabulate_scores"
    ),
    StudyTable("quality", "see `fairflow.studies.before_after.quality`", rule="tabulate_quality"),
    StudyTable(
        "scale",
        "criterion, metric, scales_with_length, and how far the ranking follows vectors' length",
    ),
    StudyTable(
        "conclusions",
        "what was found, in sentences and as data",
        (),
        ("md", "json"),
        rule="state_conclusions",
    ),
    StudyTable(
        "language_models",
        "model, what it is, and how its texts became pieces and vectors",
        (REPORT, FIGURES),
        of=LANGUAGE,
        rule="tabulate_language_models",
    ),
    StudyTable(
        "carriers",
        "model, query, carrier, effect_size",
        of=LANGUAGE,
        rule="tabulate_language_models",
        label="carriers of words",
    ),
    StudyTable(
        "category_scores",
        "see `fairflow.studies.item_tables.category_scores`",
        (REPORT, FIGURES),
        # Parquet first: of a category "None" it makes no missing one.
        formats=("parquet", "csv"),
        of=ITEMS,
        rule="tabulate_items",
        label="scores by category",
    ),
    StudyTable(
        "deciding_items",
        "see `fairflow.studies.item_tables.deciding_items`",
        # Parquet first: of a text "None" it makes no missing one.
        formats=("parquet", "csv"),
        of=ITEMS,
        rule="tabulate_items",
        label="items that decide",
    ),
    StudyTable(
        "invalid_items",
        "model, metric, query, item, status, reason",
        of=LANGUAGE,
        rule="tabulate_language_models",
        label="items without a score",
    ),
    StudyTable(
        "before_after",
        "see `fairflow.studies.before_after.before_after`",
        (FIGURES, REPORT, CONCLUSIONS),
        of=COMPARING,
        rule="tabulate_before_after",
    ),
    StudyTable(
        "what_remains",
        "see `fairflow.studies.before_after.what_remains`",
        (REPORT, CONCLUSIONS),
        of=COMPARING,
        rule="tabulate_what_remains",
    ),
    StudyTable(
        "specification_summary",
        "see `fairflow.studies.multiverse.specification_summary`",
        (FIGURES, REPORT, CONCLUSIONS),
        of=MULTIVERSE,
        rule="tabulate_specifications",
    ),
    StudyTable(
        "specification_curve",
        "see `fairflow.studies.multiverse.specification_curve`",
        (FIGURES, REPORT),
        of=MULTIVERSE,
        rule="tabulate_specifications",
    ),
)


def study_tables(reader: str | None = None, *kinds: str) -> list[StudyTable]:
    """The tables that a reader takes, or all: those of every study and of these kinds of studies.

    Parameters
    ----------
    kinds : of `KINDS`.
    """
    return [
        table
        for table in STUDY_TABLES
        if (reader is None or reader in table.readers) and table.of in (EVERY, *kinds)
    ]
