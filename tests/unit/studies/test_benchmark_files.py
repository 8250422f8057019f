"""Files of benchmarks are read as they are published, and a fault is named with its line."""

import pytest

from fairflow.errors import FairflowError
from fairflow.studies.benchmarks import ANALOGIES, SIMILARITY, read_benchmark

PAIRS = (
    "# comment\ntiger\tcat\t7.35\n\ncushion\t\tpillow\t\t3.84\nviolence\tviolent video games\t0.9\n"
)
QUESTIONS = ": family\nboy girl brother sister\n: other\nhe she his her\n"


def written(tmp_path, text):
    path = tmp_path / "file"
    path.write_bytes(text.encode("utf-8"))
    return path


def test_pairs_may_have_several_tabs_and_terms_several_words(tmp_path):
    benchmark = read_benchmark(written(tmp_path, PAIRS), SIMILARITY, "utf-8")
    assert benchmark.items == (
        ("tiger", "cat"),
        ("cushion", "pillow"),
        ("violence", "violent video games"),
    )
    assert benchmark.scores == (7.35, 3.84, 0.9)


def test_questions_stand_under_headings(tmp_path):
    benchmark = read_benchmark(written(tmp_path, QUESTIONS), ANALOGIES, "utf-8")
    assert benchmark.items == (("boy", "girl", "brother", "sister"), ("he", "she", "his", "her"))
    assert benchmark.scores == ()


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        (SIMILARITY, "a\tb\t1\na\tb\n", "line 2: expected two words and a number between tabs"),
        (SIMILARITY, "a\tb\tmuch\n", "line 1: expected two words and a number between tabs"),
        (ANALOGIES, ": all\na b c\n", "line 2: expected four words, found 'a b c'"),
        (ANALOGIES, ": all\n", "holds no item of a benchmark of analogies"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path, kind, text, fault):
    with pytest.raises(FairflowError, match=fault):
        read_benchmark(written(tmp_path, text), kind, "utf-8")
