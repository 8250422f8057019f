"""The tests by name: what each is called, what it measures, and which number sums it up."""

from __future__ import annotations

from dataclasses import dataclass

# What a test tells: of the bias that is left, or of the use that vectors are.
REMAINS, KEPT = "what remains", "what is kept"
MEAN, PEARSON, SPEARMAN = "mean", "pearson", "spearman"


@dataclass(frozen=True)
class NamedTest:
    """A test of vectors.

    Attributes
    ----------
    about : `REMAINS` or `KEPT`. label : for tables. measure : what the value is.
    statistic : of answers; None where the value is given, or that of several runs.
    """

    about: str
    label: str
    measure: str
    statistic: str | None = None


CLUSTERS, NEIGHBOURS, PROFESSIONS = "clusters", "neighbours", "neighbours_of_professions"
CLASSIFIER, DIRECT, DIRECT_BEFORE = "classifier", "direct_bias", "direct_bias_before"
INDIRECT, EXPLAINED = "indirect_bias", "explained_variance"
SIMILARITY, ANALOGIES = "similarity", "analogies"

HIDDEN = (CLUSTERS, NEIGHBOURS, PROFESSIONS, CLASSIFIER)
VISIBLE = (DIRECT, DIRECT_BEFORE, INDIRECT, EXPLAINED)

TESTS = {
    CLUSTERS: NamedTest(REMAINS, "clusters of the most biased words", "accuracy"),
    NEIGHBOURS: NamedTest(REMAINS, "neighbours of all words", "Pearson correlation", PEARSON),
    PROFESSIONS: NamedTest(REMAINS, "neighbours of professions", "Pearson correlation", PEARSON),
    CLASSIFIER: NamedTest(REMAINS, "classifier of the most biased words", "accuracy"),
    DIRECT: NamedTest(REMAINS, "direct bias of professions", "mean of |cosine|", MEAN),
    DIRECT_BEFORE: NamedTest(
        REMAINS, "direct bias of professions, direction before", "mean of |cosine|", MEAN
    ),
    INDIRECT: NamedTest(
        REMAINS, "indirect bias of professions", "mean |share of similarity|", MEAN
    ),
    EXPLAINED: NamedTest(REMAINS, "pairs that share one direction", "share of variance"),
    SIMILARITY: NamedTest(KEPT, "word similarity", "Spearman correlation", SPEARMAN),
    ANALOGIES: NamedTest(KEPT, "analogies", "share right", MEAN),
}

# What the tests of hidden and of visible bias are taken from.
CITATIONS = {
    "hidden bias": (
        "Gonen, H., & Goldberg, Y. (2019). Lipstick on a Pig: Debiasing Methods Cover up "
        "Systematic Gender Biases in Word Embeddings But do not Remove Them. NAACL-HLT 2019, "
        "609-614. https://doi.org/10.18653/v1/N19-1061"
    ),
    "direct and indirect bias": (
        "Bolukbasi, T., Chang, K.-W., Zou, J., Saligrama, V., & Kalai, A. (2016). Man is to "
        "Computer Programmer as Woman is to Homemaker? Debiasing Word Embeddings. NIPS 2016. "
        "https://arxiv.org/abs/1607.06520"
    ),
}
