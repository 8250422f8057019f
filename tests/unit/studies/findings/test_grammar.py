"""Scores that may be grammar: planted vectors in which a known part of an association is."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairflow import WEAT, Query
from fairflow.files.configuration_files import read_yaml
from fairflow.queries.known_languages import may_measure_grammar
from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.grammar import grammatical_gender
from fairflow.transforms.mean_projection import MeanProjection

WORD_SETS = Path(__file__).parents[4] / "config" / "word_sets"
LABELS = {"m": "Model M", "m-without": "M without", "weat": "WEAT"}
THINGS = [["mur", "pont"], ["porte", "route"]]
QUERY = Query([["art", "chant"], ["danse", "magie"]], [["homme", "frère"], ["femme", "soeur"]])


def planted(grammar, stereotype):
    """Vectors with axes of grammar and of men and women, and one of each word's own."""
    masculine, feminine = np.eye(14)[0], -np.eye(14)[0]
    men, women = np.eye(14)[1], -np.eye(14)[1]
    made = {"mur": masculine, "pont": masculine, "porte": feminine, "route": feminine}
    made |= dict.fromkeys(("art", "chant"), grammar * masculine + stereotype * men)
    made |= dict.fromkeys(("danse", "magie"), grammar * feminine + stereotype * women)
    made |= dict.fromkeys(("homme", "frère"), masculine + men)
    made |= dict.fromkeys(("femme", "soeur"), feminine + women)
    own = 4 * np.eye(14)[2:]
    # Nouns of things differ by gender alone.
    own[1], own[3] = own[0], own[2] = np.zeros(14), np.zeros(14)
    return {word: vector + mine for (word, vector), mine in zip(made.items(), own, strict=True)}


def findings_of(vectors, model_of, interval=(0.2, 2), **given):
    after = MeanProjection(THINGS).fit(vectors).transform(vectors)
    alike = {"metric": "weat", "query": "q", "subquery": "q", "query_label": "Arts"}
    alike |= dict(zip(("ci_low", "ci_high"), interval, strict=True))
    rows = [
        alike | {"model": name, "measure": measure, "is_primary": primary, "value": found[measure]}
        for name, held in {"m": vectors, "m-without": after}.items()
        for found in (WEAT().run_query(QUERY, model_of(**held)),)
        for measure, primary in (("effect_size", True), ("weat", False))
    ]
    settings = {"signed": ["weat"], "gendered": {"q": "fr"}, "without_gender": {"m-without": "m"}}
    # A query of two criteria has its rows twice.
    scores = {"scores": pd.DataFrame([*rows, *rows])}
    return [*grammatical_gender(Results(scores, LABELS, **settings | given))]


@pytest.mark.parametrize(
    ("grammar", "stereotype", "share", "said"),
    [
        # The effect size is 1.73 with and without grammar in each of the first three.
        (1, 0.01, 0.99, "99% of the association was grammar"),
        (1, 1, 0.47, "47% of the association was grammar"),
        (0, 1, 0, "next to nothing of it was grammar"),
        (-0.5, 1, None, "grammar made it smaller"),
        (-2, 1, None, "grammar made its sign"),
    ],
)
def test_a_planted_association_is_grammar_or_is_not(model_of, grammar, stereotype, share, said):
    (found,) = findings_of(planted(grammar, stereotype), model_of)
    (evidence,), (numbers,) = found.evidence, found.numbers["shares"]
    assert evidence.endswith(f"{said}.")
    if share is not None:
        assert numbers["share"] == pytest.approx(share, abs=0.03)


def test_without_grammar_in_any_word_of_a_query_the_share_is_nothing(model_of):
    vectors = planted(0, 1)
    for word in ("homme", "frère", "femme", "soeur"):
        vectors[word][0] = 0
    (found,) = findings_of(vectors, model_of)
    assert found.numbers["shares"][0]["share"] == pytest.approx(0, abs=1e-6)


def test_a_score_that_may_be_chance_has_no_share(model_of):
    (found,) = findings_of(planted(1, 0.01), model_of, interval=(-0.1, 2))
    assert found.evidence[0].endswith("so that no share of it is known.")


def test_a_clear_score_below_0_has_a_share(model_of):
    (found,) = findings_of(planted(-1, -0.01), model_of, interval=(-2, -0.2))
    assert found.evidence[0].endswith("99% of the association was grammar.")


def test_the_caution_names_language_and_queries_with_and_without_a_derived_model(model_of):
    (found,) = findings_of(planted(1, 0.01), model_of, without_gender={})
    assert found.sentence == (
        "Nouns in French (fr) have a grammatical gender: 1 query about men and women may measure "
        "grammar."
    )
    assert found.detail == "By name: Arts."
    assert found.evidence == ()
    assert findings_of(planted(1, 0.01), model_of, gendered={}) == []


@pytest.mark.parametrize(
    ("language", "sets", "expected"),
    [
        ("fr", ["Math", "Male terms"], True),
        ("fr-CA", ["Noms d'hommes"], True),
        ("es", ["Nombres masculinos"], True),
        ("de", ["Frauennamen"], True),
        ("hi", ["पुरुषों"], True),
        ("bg", ["male_terms"], True),
        ("fr", ["Flowers", "Pleasant"], False),
        ("fr", ["Manual work"], False),
        ("en", ["Male terms"], False),
        ("tr", ["Male terms"], False),
        ("da", ["Female names"], False),
    ],
)
def test_queries_on_men_and_women_in_some_languages_may_measure_grammar(language, sets, expected):
    assert may_measure_grammar(language, sets) is expected


def test_the_french_nouns_are_balanced_and_in_no_list_of_a_test():
    nouns = read_yaml(WORD_SETS / "inanimate_nouns_fr.yaml")["sets"]
    masculine, feminine = ({*nouns[name]["words"]} for name in ("masculine", "feminine"))
    assert len(masculine) == len(feminine) == 107
    assert not masculine & feminine
    tested = read_yaml(WORD_SETS / "weathub_fr.yaml")["sets"].values()
    assert not (masculine | feminine) & {word for entry in tested for word in entry["words"]}
