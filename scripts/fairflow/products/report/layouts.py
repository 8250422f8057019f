"""How each table of a study is shown: which columns, under which names."""

from __future__ import annotations

from collections.abc import Container

from fairflow.products.report.html_table import Column, Layout
from fairflow.studies.tables import REPORT, StudyTable, study_tables

CRITERION = Column("criterion", "Criterion", choice=True)
METRIC = Column("metric", "Metric", choice=True)
MODEL = Column("model", "Model", choice=True)
SOURCE = Column("source", "Source", choice=True)
N_QUERIES = Column("n_queries", "Queries", "number")
NOTE = Column("note", "Note")
REASON = Column("reason", "Reason")
PLACE = (MODEL, CRITERION, METRIC)

COVERAGE = Layout(
    name="coverage",
    title="Coverage",
    caption="How many words of each set a model holds, and which it lacks. A query whose sets lose "
    "too many of their words has no score.",
    columns=(
        Column("word_set", "Word set"),
        MODEL,
        Column("words", "Words", "number"),
        Column("found", "Found", "number"),
        Column("lost", "Lost", "number"),
        Column("lost_words", "Lost words"),
        Column("queries", "Queries"),
    ),
)
SCORES = Layout(
    name="scores",
    title="Scores",
    caption="What each metric is ranked by, for every query and model. The interval says where the "
    "score would lie had other target words, or items, been chosen; p comes from a permutation "
    "test, and p adjusted from the Benjamini-Hochberg correction within its family. Details: every "
    "statistic of a score and the value of each word.",
    columns=(
        Column("subquery", "Query"),
        CRITERION,
        METRIC,
        MODEL,
        Column("value", "Score", "number"),
        Column("ci", "95% interval", "interval"),
        Column("p_value", "p", "number"),
        Column("p_bh", "p adjusted", "number"),
        Column("n_lost", "Words lost", "number"),
        Column("status", "Status", "state", choice=True),
        REASON,
    ),
)
RANKING = Layout(
    name="ranking",
    title="Rankings",
    caption="Rank 1 is the model with the least association; models that tie share a rank. Of "
    "several models of the same vectors one is ranked, and none by a metric whose values grow with "
    "the length of vectors. The expected rank and its interval tell what would become of the rank "
    "had other words been drawn. Published models are ranked among themselves, by their printed "
    "scores.",
    columns=(
        MODEL,
        SOURCE,
        CRITERION,
        METRIC,
        Column("rank", "Rank", "number"),
        Column("rank", "95% interval of the rank", "interval"),
        Column("expected_rank", "Expected rank", "number"),
        Column("score", "Score", "number"),
        N_QUERIES,
        Column("n_common", "Queries in common", "number"),
        Column("status", "Status", "state", choice=True),
        Column("control", "Control queries"),
        NOTE,
    ),
)
CONTROLS = Layout(
    name="controls",
    title="Control queries",
    caption="Associations that any sensible vectors show: positive, with p < 0.05. Where one does "
    "not come out, a small score is no sign of fairness, and every rank of the model says so.",
    columns=(
        MODEL,
        Column("query_label", "Query"),
        Column("status", "Status", "state", choice=True),
        Column("value", "Score", "number"),
        Column("p_value", "p", "number"),
        METRIC,
        Column("lost_words", "Lost words"),
        REASON,
    ),
)
CORRELATIONS = Layout(
    name="correlations",
    title="Correlations of metrics",
    caption="How far two metrics agree on the order of the models. With few models only few "
    "p-values are possible; the smallest is given.",
    columns=(
        Column("metric_row", "Metric"),
        Column("metric_column", "Other metric"),
        SOURCE,
        CRITERION,
        Column("method", "Method", choice=True),
        Column("correlation", "Correlation", "number"),
        Column("p_value", "p", "number"),
        Column("smallest_p", "Smallest p", "number"),
        Column("n_models", "Models", "number"),
        REASON,
    ),
)
LEDGER = Layout(
    name="published",
    title="Published numbers",
    caption="Each number that was published, with the decimals it was printed with, beside ours, "
    "and what became of it.",
    columns=(
        Column("scope", "Number"),
        Column("verdict", "Verdict", "state", choice=True),
        Column("published", "Published", "printed"),
        Column("computed", "Computed", "number"),
        Column("difference", "Difference", "number"),
        METRIC,
        Column("published_model", "Published model", choice=True),
        REASON,
        Column("table", "Published in", choice=True),
    ),
    others=True,
    hidden=("model", "decimals"),
)
AGGREGATES = Layout(
    name="aggregates",
    title="Aggregates",
    caption="One number per criterion, metric and model: over the model's own defined queries, and "
    "over those that all comparable models define.",
    columns=(
        *PLACE,
        Column("value", "Own queries", "number"),
        Column("value_common", "Common queries", "number"),
        N_QUERIES,
        Column("n_defined", "Defined", "number"),
        Column("n_common", "In common", "number"),
        Column("undefined", "Undefined queries"),
        NOTE,
    ),
    folded=True,
)
RANK_PROBABILITIES = Layout(
    name="rank_probabilities",
    title="Rank probabilities",
    caption="Chance of each place when the words of the queries are drawn anew.",
    columns=(
        *PLACE,
        Column("place", "Place", "number"),
        Column("probability", "Probability", "number"),
    ),
    folded=True,
)
PAIRWISE = Layout(
    name="pairwise",
    title="Models in pairs",
    caption="Chance, over draws of words, that the first model shows less association; and "
    "Wilcoxon's signed-rank test over queries, adjusted for the number of pairs (Holm).",
    columns=(
        MODEL,
        Column("other", "Other model"),
        CRITERION,
        METRIC,
        Column("p_fairer", "Chance of less association", "number"),
        Column("wilcoxon_p", "Wilcoxon p", "number"),
        Column("wilcoxon_holm", "p adjusted", "number"),
        N_QUERIES,
        NOTE,
    ),
    folded=True,
)
FRIEDMAN = Layout(
    name="friedman",
    title="All models together",
    caption="Friedman's test that all models rank alike over the queries. Mean ranks further apart "
    "than the critical difference (Nemenyi) differ.",
    columns=(
        CRITERION,
        METRIC,
        Column("n_models", "Models", "number"),
        N_QUERIES,
        Column("statistic", "Statistic", "number"),
        Column("p_value", "p", "number"),
        Column("critical_difference", "Critical difference", "number"),
        NOTE,
    ),
    folded=True,
)
MEAN_RANKS = Layout(
    name="mean_ranks",
    title="Mean ranks",
    caption="Mean rank of each model over the queries that all comparable models define.",
    columns=(*PLACE, Column("mean_rank", "Mean rank", "number"), N_QUERIES),
    folded=True,
)
SCALE = Layout(
    name="scale",
    title="Vector length",
    caption="How far a ranking follows the length of the models' vectors, and whether unit-length "
    "vectors would give the same one.",
    columns=(
        CRITERION,
        METRIC,
        Column("scales_with_length", "Grows with length"),
        Column("norm_correlation", "Correlation with length", "number"),
        Column("norm_explains", "Variance explained", "number"),
        Column("unit_length_correlation", "Correlation with unit-length ranking", "number"),
        Column("n_models", "Models", "number"),
        REASON,
    ),
    folded=True,
)
LANGUAGE_MODELS = Layout(
    name="language_models",
    title="Language models",
    caption="What each language model is and how its texts became pieces and vectors. A word in "
    "several pieces, or in letters that the model does not tell apart, is read as the model reads "
    "it.",
    columns=(
        MODEL,
        Column("source", "Source"),
        Column("revision", "Revision"),
        Column("casing", "Casing"),
        Column("tokenizer", "Tokenizer"),
        Column("pooling", "Pooling"),
        Column("pooling_stated_by", "Pooling stated by"),
        Column("layer", "Layer", "number"),
        Column("carriers", "Carriers"),
        Column("anisotropy", "Mean cosine of random words", "number"),
        Column("first_position_norm_ratio", "Length at first position", "number"),
        Column("texts", "Texts", "number"),
        Column("pieces_per_word", "Pieces per word", "number"),
    ),
    others=True,
    hidden=("label",),
)
CARRIERS = Layout(
    name="carriers",
    title="Carriers of words",
    caption="A model that reads from left to right without a start of text is shown words in short "
    "texts, whose mean is the vector of the word. The effect size of WEAT in each text alone tells "
    "how much hangs on it.",
    columns=(
        MODEL,
        Column("query", "Query", choice=True),
        Column("carrier", "Carrier"),
        Column("effect_size", "Effect size", "number"),
    ),
    folded=True,
)
INVALID_ITEMS = Layout(
    name="invalid_items",
    title="Items without a score",
    caption="Items and texts that a model could not score, and why: unreadable, unknown pieces, "
    "too long, or several pieces where one is needed.",
    columns=(
        Column("item", "Item"),
        Column("query", "Query", choice=True),
        METRIC,
        MODEL,
        Column("status", "Status", "state", choice=True),
        REASON,
    ),
)

LAYOUTS = (
    LANGUAGE_MODELS,
    COVERAGE,
    SCORES,
    CARRIERS,
    INVALID_ITEMS,
    CONTROLS,
    RANKING,
    CORRELATIONS,
    LEDGER,
    AGGREGATES,
    RANK_PROBABILITIES,
    PAIRWISE,
    FRIEDMAN,
    MEAN_RANKS,
    SCALE,
)
# Shown beside the ranking.
PARTS_OF_OTHERS = ("rank_uncertainty",)


def layouts_of(tables: Container[str]) -> list[Layout]:
    """How each of these tables is shown; one without a layout of its own with all its columns."""
    named = {*PARTS_OF_OTHERS, *(layout.name for layout in LAYOUTS)}
    plain = [_plain(one) for one in study_tables(REPORT, True) if one.name not in named]
    return [layout for layout in (*LAYOUTS, *plain) if layout.name in tables]


def _plain(table: StudyTable) -> Layout:
    title = table.name.replace("_", " ").capitalize()
    return Layout(table.name, title, f"{table.about}.", columns=(), others=True)
