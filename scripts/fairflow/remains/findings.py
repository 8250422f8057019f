"""What is tested of a model beside another: the tests, what they say of it, and their file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fairflow.files.checked_files import read_arrays, write_arrays

# On fewer words or items a test tells nothing.
FEWEST = 10


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model gives for each of some items: words, pairs of words, analogies.

    Attributes
    ----------
    items : their numbers among all, (covered,), by which those of two models are matched.
    expected : what it is compared with, (covered,); 1 where nothing is. given : (covered,).
    """

    items: np.ndarray
    expected: np.ndarray
    given: np.ndarray


@dataclass(frozen=True, eq=False)
class Finding:
    """What one test says of a model: a value, values of several runs, or answers to items.

    Attributes
    ----------
    test : a key of `fairflow.remains.findings.TESTS`. subject : the benchmark, or "".
    covered, total : items, words or pairs that the model has, and all there are.
    n : how many the value rests on. chance : what it would be of vectors that know nothing.
    note : what a reader should know; why there is no value, where there is none.
    """

    test: str
    subject: str = ""
    value: float = math.nan
    runs: tuple[float, ...] = ()
    answers: Answers | None = None
    n: int = 0
    covered: int = 0
    total: int = 0
    chance: float = math.nan
    note: str = ""

    @property
    def is_undefined(self) -> bool:
        """Whether the test could not be made."""
        return math.isnan(self.value) and not self.runs and self.answers is None


@dataclass(frozen=True)
class ModelFindings:
    """The findings of one model.

    Attributes
    ----------
    model : its name. facts : what they all rest on, plain values.
    """

    model: str
    findings: tuple[Finding, ...]
    facts: dict[str, Any] = field(default_factory=dict)


def write_findings(found: ModelFindings, path: str | Path) -> None:
    """Write the findings of a model as one .npz file; equal findings, equal bytes."""
    rows, arrays = [], {}
    for number, finding in enumerate(found.findings):
        answers = vars(finding.answers) if finding.answers is not None else {}
        arrays |= {f"{name}_{number}": array for name, array in answers.items()}
        rows.append({**vars(finding), "answers": [*answers]})
    account = {"model": found.model, "facts": found.facts, "findings": rows}
    write_arrays(account, arrays, path)


def read_findings(path: str | Path) -> ModelFindings:
    """The inverse of `write_findings`.

    Raises
    ------
    FairflowError : the file is damaged.
    FileNotFoundError : there is no such file.
    """
    return read_arrays(path, "file of findings", _findings)


def _findings(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> ModelFindings:
    findings = []
    for number, row in enumerate(account["findings"]):
        given = {name: arrays[f"{name}_{number}"] for name in row["answers"]}
        row |= {"answers": Answers(**given) if given else None, "runs": tuple(row["runs"])}
        findings.append(Finding(**row))
    return ModelFindings(account["model"], tuple(findings), account["facts"])


def undefined(tests: Sequence[str], why: str, **known: Any) -> list[Finding]:
    """Findings of tests that cannot be made, for one reason."""
    return [Finding(test, note=why, **known) for test in tests]


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


@dataclass(frozen=True)
class Settings:
    """Words and sizes; the sizes are Gonen & Goldberg's.

    Attributes
    ----------
    pairs : of words that differ in the bias alone, for its direction.
    ends : two words between which words lean, the first one's side first.
    professions : words that should be neutral; those that are also among `specific` count as none.
    specific : words that may show the bias, left out of the limited vocabulary.
    vocabulary : so many of the first words of a model are looked at.
    clustered, classified : words of both sides together that are put into clusters, or classified.
    trained : of the classified ones, those that the classifier learns from.
    neighbours : of each word that are counted. near : for the indirect bias.
    runs : of k-means and of the classifier. starts : of each k-means.
    """

    pairs: Sequence[Sequence[str]]
    ends: Sequence[str]
    professions: Sequence[str]
    specific: Sequence[str] = ()
    vocabulary: int = 50_000
    clustered: int = 1_000
    classified: int = 5_000
    trained: int = 1_000
    neighbours: int = 100
    near: int = 10
    runs: int = 5
    starts: int = 10

    # Those that `fairflow.vectors.vocabulary.hidden_bias_tests` takes.
    SIZES: ClassVar = ("clustered", "classified", "trained", "neighbours", "runs", "starts")

    @property
    def neutral(self) -> list[str]:
        """The professions that should be neutral."""
        own = {*self.specific, *self.ends, *(word for pair in self.pairs for word in pair)}
        return [word for word in dict.fromkeys(self.professions) if word not in own]
