"""What tells how frequent words are is the order of a model or the list of its language."""

import string
from itertools import product

import numpy as np
import pytest
from gensim.models import KeyedVectors
from scipy import stats

from fairflow import Query, WordEmbeddingModel
from fairflow.errors import FairflowError
from fairflow.metrics.weat import WEAT
from fairflow.queries.lookup import Lookup
from fairflow.statistics.uncertainty import null_band, random_scores
from fairflow.vectors import word_frequency as module
from fairflow.vectors.word_frequency import (
    OWN_ORDER,
    UNKNOWN,
    WORD,
    WordFrequency,
    read_word_frequency,
    word_frequency,
    write_word_frequency,
)

# The commonest first, neither in order of letters nor against it.
WORDS = ["".join(letters) for letters in product(string.ascii_lowercase[:10], repeat=3)]
np.random.default_rng(1).shuffle(WORDS)
SHARES = {word: 1 / (rank + 2) for rank, word in enumerate(WORDS)}
N = 3000


@pytest.fixture
def _toy(monkeypatch):
    """A language of a thousand words."""
    monkeypatch.setattr(module, "language_list", lambda language: dict(SHARES))


@pytest.mark.usefixtures("_toy")
def test_the_order_of_the_model_is_taken_where_its_words_bear_it_out():
    assert word_frequency(WORDS, "frequency", "en") == WordFrequency(OWN_ORDER)
    # Neighbours may change places.
    others = [WORDS[row ^ 1] for row in range(len(WORDS))]
    assert word_frequency(others, "frequency", "en").source == OWN_ORDER


@pytest.mark.parametrize("language", ["en", None])
@pytest.mark.usefixtures("_toy")
def test_a_sorted_vocabulary_is_not_by_frequency(language):
    words = [word.upper() if row % 3 else word for row, word in enumerate(sorted(WORDS))]
    known = word_frequency(words, "frequency", language)
    assert (known.source, known.words) == (None, ())
    assert "order: frequency, but its words are in alphabetical order: correct" in known.reason


@pytest.mark.usefixtures("_toy")
def test_an_order_without_rank_correlation_to_the_list_is_not_by_frequency():
    known = word_frequency(WORDS[::-1], "frequency", "en")
    assert known.source is None
    assert "with the frequencies of wordfreq is -1.00, and at least 0.5" in known.reason
    # Without a language there is nothing to compare with.
    assert word_frequency(WORDS[::-1], "frequency").source == OWN_ORDER


@pytest.mark.parametrize("order", [None, "alphabetical", "other"])
@pytest.mark.usefixtures("_toy")
def test_without_it_the_list_of_the_language_tells(order):
    words = [*sorted(WORDS[:900]), "zzz", "a_phrase", WORDS[0].upper(), WORDS[990].upper()]
    known = word_frequency(words, order, "en")
    assert known.source == f"wordfreq {wordfreq_version()}, en"
    assert known.words == (*WORDS[:900], WORDS[990].upper())
    assert known.shares[:2] == (1 / 2, 1 / 3)
    assert known.reason is None


@pytest.mark.usefixtures("_toy")
def test_a_prefix_is_no_part_of_a_word():
    words = [*(f"/c/en/{word}" for word in WORDS[:900]), *(f"/c/de/{word}" for word in WORDS)]
    known = word_frequency(sorted(words), None, "en", prefix="/c/en/")
    assert known.words == tuple(words[:900])
    assert word_frequency(words, "frequency", "en", prefix="/c/en/").source == OWN_ORDER


@pytest.mark.parametrize("order", [None, "frequency"])
@pytest.mark.usefixtures("_toy")
def test_a_model_without_many_of_the_commonest_words_was_made_of_chosen_ones(order):
    known = word_frequency(WORDS[:740], order, "en")
    assert known.source is None
    assert known.reason.startswith("the model has 74% of the 1,000 commonest words of its language")
    assert word_frequency(WORDS[:750], order, "en").reason is None


def test_without_order_and_language_nothing_is_known():
    assert word_frequency(WORDS) == word_frequency(WORDS, "alphabetical") == UNKNOWN


@pytest.mark.parametrize(
    ("text", "plain"),
    [("word", True), ("Ünal", True), ("e-mail", True), ("o'clock", True), ("b2b", True),
     ("हिन्दी", True), ("new_york", False), ("1998", False), ("##", False), ("a.b", False),
     ("a/b", False), ("</s>", False), ("'s", False), ("a b", False), ("a\u00a0b", False),
     ("", False)],
)  # fmt: skip
def test_a_plain_word_begins_with_a_letter_and_is_no_phrase_or_address(text, plain):
    assert (WORD.fullmatch(text) is not None) == plain


def test_it_comes_back_from_a_file_and_gives_equal_bytes(tmp_path):
    known = WordFrequency("wordfreq 3, en", ("the", "of"), (0.1, 0.05))
    for name in "ab":
        write_word_frequency(known, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_word_frequency(tmp_path / "a") == known
    write_word_frequency(UNKNOWN, tmp_path / "c")
    assert read_word_frequency(tmp_path / "c") == UNKNOWN
    for name in "ac":
        (tmp_path / name).write_text((tmp_path / name).read_text().replace("the", "tho"))
        with pytest.raises(FairflowError, match="file of the frequency of words"):
            read_word_frequency(tmp_path / name)


@pytest.mark.usefixtures("_toy")
def test_words_of_a_language_are_all_of_its_list_for_whoever_knows_the_common_ones():
    known = word_frequency(WORDS[:750], language="en", every=True)
    assert known == word_frequency(list(SHARES), language="en")
    assert len(known.words) > 750
    assert "74%" in word_frequency(WORDS[:740], language="en", every=True).reason
    assert word_frequency(WORDS, every=True) == UNKNOWN


def p_of_random_queries(frequency, words, matrix, repeats=120):
    """p_null_band of WEAT for random target words, one set being frequent and one rare."""
    random = np.random.default_rng(5)
    attributes = [[f"w{row}" for row in span] for span in (range(300, 305), range(N - 5, N))]
    vectors = KeyedVectors(matrix.shape[1])
    vectors.add_vectors(words, matrix)
    found = []
    for seed in range(repeats):
        rows = [random.choice(span, 8, replace=False) for span in (range(300), range(1500, N - 99))]
        query = Query([[f"w{row}" for row in some] for some in rows], attributes)
        looked_up = WordEmbeddingModel(vectors).look_up(
            query, Lookup(), random_words=160, seed=seed, frequency=frequency
        )
        outcome = WEAT().compute(*looked_up.word_vectors())
        statistic = outcome.resampling(looked_up.random_word_vectors())
        generator = np.random.default_rng(seed)
        scores = random_scores(statistic, looked_up.random.per_form, 200, generator)
        found.append(null_band(outcome.measures["weat"], scores["weat"])["p_null_band"])
    return np.array(found)


def test_p_random_is_uniform_for_random_words_although_frequency_moves_scores():
    words = [f"w{row}" for row in range(N)]
    shares = 1 / np.arange(1, N + 1)
    random = np.random.default_rng(0)
    # As in real vectors, frequent and rare words lie apart.
    matrix = random.normal(size=(N, 20))
    matrix[:, 0] -= np.log10(shares)
    mixed = random.permutation(N)
    known = WordFrequency("list", tuple(words), tuple(shares))
    shuffled, matrix = [words[row] for row in mixed], matrix[mixed].astype(np.float32)
    good = p_of_random_queries(known, shuffled, matrix)
    assert stats.kstest(good, "uniform").pvalue > 0.01
    # The order of that file says nothing of frequency: most of the random queries stand out.
    wrong = p_of_random_queries(WordFrequency(OWN_ORDER), shuffled, matrix)
    assert stats.kstest(wrong, "uniform").pvalue < 1e-6


def wordfreq_version():
    from importlib.metadata import version

    return version("wordfreq")
