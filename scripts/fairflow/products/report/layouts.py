"""How each table of a study is shown: which columns, under which names."""

from __future__ import annotations

from collections.abc import Container

from fairflow.products.report.html_table import Column, Layout
from fairflow.studies.tables import KINDS, REPORT, StudyTable, study_tables

CRITERION = Column("criterion", "Criterion", choice=True)
METRIC = Column("metric", "Metric", choice=True)
MODEL = Column("model", "Model", choice=True)
SOURCE = Column("source", "Source", choice=True)
N_QUERIES = Column("n_queries", "Queries", "number")
N_GROUPS = Column("n_groups", "Without common words", "number")
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
        Column("same_vector_words", "Words with one vector"),
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
        Column("sample", "Sample"),
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
    values=("rank",),
)
CATEGORY_SCORES = Layout(
    name="category_scores",
    title="Scores by type of bias",
    caption="The items of each category by themselves, and how able the model is on the same ones "
    "where the metric measures it. p adjusted holds for the categories of a model, metric and "
    "query together (Benjamini-Hochberg). few_words: the interval rests on fewer than 10 units and "
    "is rough.",
    columns=(
        Column("category", "Type of bias", choice=True),
        Column("query", "Query", choice=True),
        METRIC,
        MODEL,
        Column("measure", "Measure", choice=True),
        Column("value", "Value", "number"),
        Column("ci", "95% interval", "interval"),
        Column("p_value", "p", "number"),
        Column("p_bh", "p adjusted", "number"),
        Column("n_items", "Items", "number"),
        Column("n_lost", "Without a score", "number"),
        Column("statistics", "Statistics"),
        Column("status", "Status", "state", choice=True),
        REASON,
    ),
)
CONTROLS = Layout(
    name="controls",
    title="Control queries",
    caption="Associations that any sensible vectors show: positive, with p < 0.01. A model that "
    "fails one has no rank, and nothing else can be read from its scores.",
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
QUALITY = Layout(
    name="quality",
    title="How good the vectors are",
    caption="How far the cosines of pairs of words agree with the similarity that people see "
    "(Spearman correlation, bootstrap interval over pairs), and the difference to each other model "
    "on the pairs that both hold. Noise makes every association smaller: a model that is less "
    "biased may only be a poorer one.",
    columns=(
        MODEL,
        Column("subject", "Benchmark"),
        Column("value", "Correlation", "number"),
        Column("value_range", "95% interval", "interval"),
        Column("n", "Pairs", "number"),
        Column("total", "Of", "number"),
        Column("other", "Beside", "name"),
        Column("difference", "Difference", "number"),
        Column("difference", "Its 95% interval", "interval"),
        NOTE,
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
    values=("correlation",),
    every_row=True,
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
    values=("value", "value_common"),
    every_row=True,
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
    "Wilcoxon's signed-rank test over queries, those that share words taken together, adjusted for "
    "all tests of this table (Holm).",
    columns=(
        MODEL,
        Column("other", "Other model"),
        CRITERION,
        METRIC,
        Column("p_fairer", "Chance of less association", "number"),
        Column("wilcoxon_p", "Wilcoxon p", "number"),
        Column("wilcoxon_holm", "p adjusted", "number"),
        N_QUERIES,
        N_GROUPS,
        NOTE,
    ),
    folded=True,
    values=("p_fairer", "wilcoxon_p"),
    every_row=True,
)
FRIEDMAN = Layout(
    name="friedman",
    title="All models together",
    caption="Friedman's test that all models rank alike over the queries, those that share words "
    "taken together. Mean ranks further apart than the critical difference (Nemenyi) differ.",
    columns=(
        CRITERION,
        METRIC,
        Column("n_models", "Models", "number"),
        N_QUERIES,
        N_GROUPS,
        Column("statistic", "Statistic", "number"),
        Column("p_value", "p", "number"),
        Column("critical_difference", "Critical difference", "number"),
        NOTE,
    ),
    folded=True,
    values=("statistic", "p_value"),
    every_row=True,
)
MEAN_RANKS = Layout(
    name="mean_ranks",
    title="Mean ranks",
    caption="Mean rank of each model over the queries that all comparable models define, those "
    "that share words taken together.",
    columns=(*PLACE, Column("mean_rank", "Mean rank", "number"), N_QUERIES, N_GROUPS),
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
    values=("norm_correlation", "unit_length_correlation"),
    every_row=True,
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
        Column("chat_template", "Asked in its chat template"),
        Column("dtype", "Type of numbers"),
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
    values=("effect_size",),
    every_row=True,
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
BEFORE_AFTER = Layout(
    name="before_after",
    title="Before and after",
    caption="How each score differs from that of the model before, over the same words. The "
    "interval and p come from resampling these words in both models at once; p adjusted from "
    "Holm's method over the queries of a model and metric. A change of sign is no reduction. "
    "Whether bias is gone or hidden no difference of scores tells.",
    columns=(
        Column("subquery", "Query"),
        Column("verdict", "Association", "state", choice=True),
        METRIC,
        MODEL,
        Column("before", "Before", "number"),
        Column("after", "After", "number"),
        Column("difference", "Difference", "number"),
        Column("difference", "95% interval of the difference", "interval"),
        Column("absolute_difference", "Difference in size", "number"),
        Column("absolute_difference", "Its 95% interval", "interval"),
        Column("p_value", "p", "number"),
        Column("p_holm", "p adjusted", "number"),
        Column("left_out", "Words of one model alone"),
        NOTE,
    ),
)
WHAT_REMAINS = Layout(
    name="what_remains",
    title="What remains, and what was lost",
    caption="Whether the old bias of words still shows in where their vectors lie: words that "
    "leaned to two sides in the model before are put into two clusters, are classified, and have "
    "their neighbours counted by side (Gonen & Goldberg 2019); and how far words that should be "
    "neutral lie along the direction of the pairs (Bolukbasi et al. 2016). Below it what vectors "
    "are good for: word similarity and analogies, of the items that the model has. The range is "
    "that of several runs, or a bootstrap interval over items; the difference to the model before "
    "is over the same items.",
    columns=(
        Column("about", "About", choice=True),
        Column("test", "Test", choice=True),
        Column("subject", "Benchmark"),
        MODEL,
        Column("measure", "Measure"),
        Column("value", "Value", "number"),
        Column("value_range", "Range", "interval"),
        Column("chance", "By chance", "number"),
        Column("difference", "Difference to before", "number"),
        Column("difference", "Its 95% interval", "interval"),
        Column("n", "Items", "number"),
        Column("total", "Of", "number"),
        NOTE,
    ),
)
SPECIFICATION_SUMMARY = Layout(
    name="specification_summary",
    title="By every way to measure",
    caption="In how many of all specifications that could be defended each of two models shows "
    "more bias: one choice each of metric, variant, vectors as given or of unit length, "
    "aggregation, word lists and look-up. A choice decides by the share of pairs of specifications "
    "that differ in it alone and point to different models. Specifications are not independent: a "
    "share of them is no probability.",
    columns=(
        MODEL,
        Column("other", "Other model", choice=True),
        CRITERION,
        Column("n_specifications", "Specifications", "number"),
        Column("n_model", "Model shows more", "number"),
        Column("n_other", "Other shows more", "number"),
        Column("median_relative_difference", "Median relative difference", "number"),
        Column("n_clear", "Intervals without 0", "number"),
        Column("decides", "Decided most by"),
        Column("n_excluded", "Not counted", "number"),
        NOTE,
    ),
)
SPECIFICATION_CURVE = Layout(
    name="specification_curve",
    title="Every specification",
    caption="Two models on the same queries in each specification. The relative difference is that "
    "of their biases over the mean of both, with an interval over resampled queries; any: the "
    "choice makes no difference.",
    columns=(
        MODEL,
        Column("other", "Other model", choice=True),
        CRITERION,
        Column("variant", "Metric", choice=True),
        Column("normalisation", "Vectors", choice=True),
        Column("aggregation", "Aggregation", choice=True),
        Column("lists", "Word lists", choice=True),
        Column("lookup", "Look-up", choice=True),
        Column("n_common", "Queries in common", "number"),
        Column("value", "Value", "number"),
        Column("other_value", "Other value", "number"),
        Column("relative_difference", "Relative difference", "number"),
        Column("relative_difference", "Its 95% interval", "interval"),
        Column("more_biased", "Shows more"),
        Column("status", "Status", "state", choice=True),
        NOTE,
    ),
    folded=True,
)

LAYOUTS = (
    LANGUAGE_MODELS,
    COVERAGE,
    BEFORE_AFTER,
    WHAT_REMAINS,
    SPECIFICATION_SUMMARY,
    SCORES,
    CATEGORY_SCORES,
    CARRIERS,
    INVALID_ITEMS,
    CONTROLS,
    QUALITY,
    RANKING,
    CORRELATIONS,
    LEDGER,
    AGGREGATES,
    RANK_PROBABILITIES,
    SPECIFICATION_CURVE,
    PAIRWISE,
    FRIEDMAN,
    MEAN_RANKS,
    SCALE,
)
# Shown beside the ranking, and in a part of the page of their own.
PARTS_OF_OTHERS = ("rank_uncertainty", "deciding_items")


def layouts_of(tables: Container[str]) -> list[Layout]:
    """How each of these tables is shown; one without a layout of its own with all its columns."""
    named = {*PARTS_OF_OTHERS, *(layout.name for layout in LAYOUTS)}
    every = study_tables(REPORT, *KINDS)
    plain = [_plain(one) for one in every if one.name not in named]
    return [layout for layout in (*LAYOUTS, *plain) if layout.name in tables]


def _plain(table: StudyTable) -> Layout:
    title = table.name.replace("_", " ").capitalize()
    return Layout(table.name, title, f"{table.about}.", columns=(), others=True)
