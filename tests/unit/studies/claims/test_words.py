"""The words of claims: a template for each verdict, short, and nothing is decided in them."""

import ast
import random
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from tests.unit.studies.claims.study import LABELS, pair, ranks, said, score

from fairflow.capabilities import extensions
from fairflow.studies import before_after
from fairflow.studies.claims import claim, page, study_claims, words
from fairflow.studies.claims.claim import Claim, Gate, as_table
from fairflow.studies.wording import with_interval

FACTS = {
    "targets": ["European American names", "African American names"],
    "attributes": ["Pleasant words", "Unpleasant words"], "name": "Query", "agree": 8, "differ": 2,
    "absent": 3, "unexplained": 1, "p": 0.4, "p_smallest": 0.06, "topics": ["Race", "Gender"],
    "more": "a", "less": "b", "criteria": ["Overall"], "before": 0.9, "after": 0.4, "worse": 2,
    "benchmarks": 9, "reversed": ["q1"], "fair": 50.0, "language": "fr", "with": 0.5,
    "without": 0.1, "reasons": {"lost_vocabulary": 3}, "languages": ["fr"], "kinds": ["causal"],
    "models": ["a", "b"], "set": "Career", "words": 8, "vectors": 6, "division": "decades",
    "bias_lost_fair": 15.0, "bias_lost_biased": 40.0, "embedding": "pmi",
    "means": {"a": 0.5, "b": 0.25}, "where": "10 words", "found": "33 % [28, 38]",
    "found_by_ours": "5 % [3, 8]", "right": "1", "authors_p": 0.2, "why": "7 and 1 words",
    "group": "Black Women", "by": "race (Garg et al.)",
    "of": "Traits", "null_low": "12%", "null_high": "21%", "shared": "95%",
    "largest": "White Men by race (WEAT 5), Black Men by race (Garg et al.)",
}  # fmt: skip
OTHERS = ("reasons", words.ANSWERS, words.CHECKS)
KINDS = {name: of for name, of in words.TEMPLATES.items() if name not in OTHERS}
CASES = [(kind, verdict) for kind, of in KINDS.items() for verdict in of if verdict != "failed"]


@pytest.mark.parametrize(("kind", "verdict"), CASES)
def test_a_sentence_has_at_most_30_words_and_ends_with_a_full_stop(kind, verdict):
    gates = tuple(Gate(name, claim.FAILED) for name in KINDS[kind].get("failed", ()))
    where = {"criterion": "Overall", "query": "q1", "measure": "weat"}
    numbers = {"value": 0.5, "low": 0.1, "high": 0.9, "p_adjusted": 0.01, "n": 80}
    one = Claim(kind, verdict, "a", "b", **where, **numbers, gates=gates, facts=FACTS)
    (made,) = words.worded([one], LABELS)
    assert len(made.sentence.split()) <= 30, made.sentence
    assert made.sentence.endswith(".")
    assert ".." not in made.sentence
    assert len(made.short.split()) <= 6


def test_each_verdict_in_the_code_has_its_words_and_each_word_its_verdict():
    folder = Path(claim.__file__).parent
    others = (Path(one.__file__).parent.rglob("*.py") for one in extensions("claims"))
    files = [*folder.glob("*.py"), *chain(*others)]
    texts = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    statuses = {"scales_with_dimension", "grows_with_length", "no_bias", *before_after.VERDICTS}
    assert {verdict for _, verdict in CASES} <= texts | statuses
    assert len(KINDS) <= 16


def test_random_words_for_labels_change_no_fact():
    rows = [score("a"), score("b", p_bh=0.2)]
    tables = {"ranking": ranks("a", "b"), "pairwise": pair("b", "a")}
    letters = random.Random(1)
    other = {name: "".join(letters.sample("fails wrt and", 9)) for name in LABELS}
    told = said(rows, **tables)
    renamed = said(rows, labels=other, **tables)
    blank = {"what": "", "sentence": "", "short": "", "facts": {}}
    facts = [[replace(one, **blank) for one in each.claims] for each in (told, renamed)]
    assert as_table(facts[0]).equals(as_table(facts[1]))
    strengths = [[row.strength for row in each.page.rows] for each in (told, renamed)]
    assert strengths[0] == strengths[1]


def test_claims_and_page_are_read_as_they_were_written(tmp_path):
    told = said([score("a"), score("b")], ranking=ranks("a", "b"), pairwise=pair("b", "a"))
    files = {name: tmp_path / name for name in ("conclusions", "claims", "data")}
    study_claims.write_stated(told, **files)
    read = study_claims.read_stated(files["data"])
    assert as_table(read.claims).equals(as_table(told.claims))
    assert page.as_markdown(read.page) == page.as_markdown(told.page)
    assert files["conclusions"].read_text() == page.as_markdown(told.page)


def test_markup_in_labels_is_text():
    told = said([score(query="q9", query_label="<b> | [x](y)")])
    text = page.as_markdown(told.page)
    assert "<b>" not in text
    assert "\\|" in text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((1.832, 1.5, 2.0), "+1.8 [1.5, 2.0]"),
        ((0.1234, 0.12, 0.13), "+0.12 [0.12, 0.13]"),
        ((0.5, float("nan"), float("nan")), "+0.5"),
        ((float("nan"),) * 3, "?"),
        ((-0.001, -0.4, 0.4), "+0.0 [-0.4, 0.4]"),
    ],
)
def test_an_interval_has_as_many_decimals_as_its_width_bears(numbers, text):
    assert with_interval(*numbers) == text


def test_a_terminal_line_is_never_longer_than_the_terminal_nor_cut():
    rows = [score(query=f"q{n}", query_label="A very long label " * 8) for n in range(20)]
    lines = page.as_lines(said(rows).page, 100, 5)
    assert max(map(len, lines)) <= 100
    assert not any("..." in line for line in lines)
    assert "15 more in claims.csv." in lines


def test_a_p_shows_on_which_side_of_05_it_is():
    assert [words.p_text(p) for p in (0.046, 0.0504, 0.12, 0.003, 0.0001)] == [
        *(".046", ".050", ".12", ".003", "<.001"),
    ]
