"""SentenceDebias: which sentences it makes, and what it takes out of every text."""

import numpy as np
import pytest

from fairflow.errors import FairflowError
from fairflow.transforms import transform_class
from fairflow.transforms.sentence_debias import TEMPLATES, SentenceDebias, swapped_sentences

PAIRS = [["she", "he"], ["mother", "father"]]
TWO = ["It was {word}.", "We saw {word} there."]


def embedded(texts, dims=12, seed=0):
    """A random vector for each text, those with she or mother moved along the first axis."""
    generator = np.random.default_rng(seed)
    vectors = generator.standard_normal((len(texts), dims))
    moved = [3.0 * any(w in text.split(" ") for w in ("she", "mother")) for text in texts]
    vectors[:, 0] += moved
    return list(texts), vectors


def test_a_template_with_the_words_of_a_row_is_a_set():
    made = SentenceDebias(PAIRS, templates=TWO)
    assert made.sets == (
        ("It was she.", "It was he."),
        ("It was mother.", "It was father."),
        ("We saw she there.", "We saw he there."),
        ("We saw mother there.", "We saw father there."),
    )
    assert len(SentenceDebias(PAIRS).training_texts()) == 2 * 2 * len(TEMPLATES)


def test_sentences_of_a_file_have_every_word_exchanged_in_its_case():
    lines = ["She met her MOTHER.", "Breathe the weather.", "She met him.", "He sat."]
    assert swapped_sentences(lines, [*PAIRS, ["her", "his"], ["her", "him"]]) == (
        ("She met her MOTHER.", "He met his FATHER."),
        ("She sat.", "He sat."),
    )
    made = SentenceDebias(PAIRS, sentences=lines)
    assert made.left_out == 1
    assert made.sets[0] == ("She met her MOTHER.", "He met her FATHER.")


def test_its_subspace_is_that_of_a_principal_component_analysis_of_centred_pairs():
    from sklearn.decomposition import PCA

    made = SentenceDebias(PAIRS, components=2, templates=TWO)
    texts, vectors = embedded(made.training_texts())
    row = dict(zip(texts, vectors, strict=True))
    centred = [row[t] - (row[a] + row[b]) / 2 for a, b in made.sets for t in (a, b)]
    expected = PCA(2).fit(np.array(centred)).components_
    derivation = made.fit((texts, vectors))
    assert np.abs(derivation.remove @ expected.T) == pytest.approx(np.eye(2), abs=1e-9)
    assert derivation.facts["sets_of_sentences"] == 4
    others = np.random.default_rng(1).standard_normal((5, 12))
    derived = derivation.apply(["any"] * 5, others)
    assert np.abs(derived @ expected.T).max() < 1e-6
    assert derivation.apply(["any"] * 5, derived) == pytest.approx(derived, abs=1e-6)
    # What is orthogonal to the subspace stays.
    kept = others - others @ expected.T @ expected
    assert derived == pytest.approx(kept, abs=1e-6)


def test_a_sentence_without_vector_is_told_and_its_pair_does_not_count():
    made = SentenceDebias(PAIRS, templates=TWO)
    texts, vectors = embedded(made.training_texts())
    facts = made.fit((texts[1:], vectors[1:])).facts
    assert facts["sets_of_sentences"] == 3
    assert facts["words_missing"] == {"sentences": ["It was she."]}
    with pytest.raises(FairflowError, match="sentences: no entry has two"):
        made.fit((["else"], vectors[:1]))


WORDS = {"definitional": PAIRS, "groups": [["she", "mother"], ["he", "father"]]}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("normalised", {}),
        ("linear_projection", {"definitional": PAIRS}),
        ("hard_debias", {"definitional": PAIRS, "equalise": [], "specific": []}),
        *((name, {"groups": WORDS["groups"]}) for name in ("mean_projection", "leace", "inlp")),
        ("sentence_debias", {"definitional": PAIRS}),
    ],
)
def test_what_fit_looks_up_is_all_that_it_needs(name, parameters):
    made = transform_class(name)(**parameters)
    texts = made.training_texts()
    assert len(texts) == len(set(texts))
    few = made.fit(embedded(texts))
    more = made.fit(embedded([*texts, "further"]))
    vectors = np.eye(12)
    assert few.apply(["x"] * 12, vectors) == pytest.approx(more.apply(["x"] * 12, vectors))
