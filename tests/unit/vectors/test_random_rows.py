"""Random words replace target words: alike in frequency, each once, the same at every draw."""

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from one_cell import read_slice, write_slice
from stores import files_in, store_of

from fairflow import Query, WordEmbeddingModel
from fairflow.errors import FairflowError
from fairflow.queries.lookup import Lookup
from fairflow.transforms.normalised import Normalised
from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.random_words import MOST_TRIED, STEP, draw_random_rows, window
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_frequency import OWN_ORDER, ListedWords, WordFrequency

N = 5000
WORDS = [f"w{i}" for i in range(N)]
ROW = {word: row for row, word in enumerate(WORDS)}
MATRIX = np.random.default_rng(0).normal(size=(N, 3)).astype(np.float32)
OWN = WordFrequency(OWN_ORDER)
QUERY = Query([["w0", "w700"], ["w30", "w4999"]], [["w1", "w2"]], ["X", "Y"], ["A"])


def gensim_vectors(words=WORDS, matrix=MATRIX):
    vectors = KeyedVectors(matrix.shape[1])
    vectors.add_vectors(list(words), matrix)
    return vectors


def converted(folder, words=WORDS, matrix=MATRIX):
    """A store of these rows; repeated words keep their first."""
    return store_of(zip(words, matrix, strict=True), folder)


def at_unit_length(folder):
    """The store of a folder, normalised."""
    store = VectorStore(*files_in(folder))
    return DerivedStore(store, Normalised().fit(store))


def drawn(number=40, seed=0, wv=None, query=QUERY, lookup=None, frequency=OWN, **options):
    model = WordEmbeddingModel(wv or gensim_vectors(), **options)
    return model.look_up(
        query, lookup or Lookup(), random_words=number, seed=seed, frequency=frequency
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    # Rank 700 reaches from 350 to 1400; ranks 1 and 100 are given two hundred rows.
    [(699, (349, 1400)), (2999, (1499, 6000)), (9999, (4999, 10_000)), (0, (0, 200)),
     (99, (24, 224))],
)  # fmt: skip
def test_a_window_reaches_from_half_the_rank_to_twice_the_rank(row, expected):
    assert window(row, 10_000) == expected


@given(st.integers(1, 10_000), st.data())
def test_a_window_holds_the_word_and_two_hundred_rows_or_all(rows, data):
    row = data.draw(st.integers(0, rows))
    start, end = window(row, rows)
    assert 0 <= start <= min(row, rows - 1) < end <= rows
    assert end - start >= min(200, rows)
    if end - start > 200:
        assert 2 * (start + 1) >= row
        assert end <= 2 * (row + 1)


def test_every_form_gets_as_many_words_of_its_own_window():
    rows = drawn(40).random
    assert rows.of == ("w0", "w700", "w30", "w4999")
    assert (rows.per_form, rows.reason) == (10, None)
    assert len(rows.words) == 40
    for i, form in enumerate(rows.of):
        start, end = window(ROW[form], N)
        assert all(start <= ROW[word] < end for word in rows.words[10 * i : 10 * i + 10])


def test_no_word_is_drawn_twice_and_none_of_the_query():
    # More than the first two hundred rows, from which all would come, hold.
    query = Query([WORDS[:50], WORDS[50:100]], [WORDS[100:130]])
    rows = drawn(800, query=query).random
    assert len(set(rows.words)) == len(rows.words) == 800
    assert max(ROW[word] for word in rows.words) < 1600
    assert not set(rows.words) & set(WORDS[:130])


@pytest.mark.parametrize("of_query", ["W77", "w1500"])
def test_a_lexicon_of_the_query_is_no_pool_in_whatever_case(of_query):
    query = Query([["w0"]], [[of_query, *WORDS[1:100]]])
    lookup = Lookup(lost_vocabulary_threshold=1)
    words = [
        word for seed in range(9) for word in drawn(90, seed, None, query, lookup).random.words
    ]
    assert not {*words} & {*WORDS[:100]}
    assert len({*words}) == 100


def test_what_is_no_plain_word_is_not_drawn():
    marked = ("{}_b", "{}.", "#{}", "1{}", "{} b", "{}/n", "ü{}", "{}-b", "{}'s")
    words = [marked[i % 9].format(word) if i > 4 else word for i, word in enumerate(WORDS)]
    query = Query([["w0", "w1"]], [["w2"]])
    kinds = {
        word.strip("w0123456789")
        for word in drawn(200, 0, gensim_vectors(words), query).random.words
    }
    assert kinds - {""} == {"ü", "-b", "'s"}


def test_the_draw_depends_on_the_seed_and_the_target_words_alone():
    first = drawn().random
    assert drawn(name="another").random.words == first.words
    assert drawn(seed=1).random.words != first.words
    assert drawn(query=Query([["w0", "w700"], ["w30"]], [["w1"]])).random.words != first.words


def test_draws_are_spread_over_the_whole_window():
    query = Query([["w2000"]], [["w1"]])
    rows = [ROW[w] for seed in range(60) for w in drawn(40, seed, query=query).random.words]
    start, end = window(2000, N)
    counts, _ = np.histogram(rows, bins=5, range=(start, end))
    # 480 expected; four standard deviations of a binomial.
    assert np.abs(counts - 480).max() < 4 * np.sqrt(2400 * 0.2 * 0.8)


def test_a_unit_length_twin_draws_the_same_words(tmp_path):
    matrix = MATRIX.copy()
    matrix[3:900:2] = 0
    model = drawn(wv=converted(tmp_path, matrix=matrix)).random
    twin = drawn(wv=at_unit_length(tmp_path)).random
    assert twin.words == model.words
    assert np.linalg.norm(twin.vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert np.abs(np.linalg.norm(model.vectors, axis=1) - 1).max() > 0.1


def test_memory_and_disk_draw_the_same(tmp_path):
    stored = drawn(wv=converted(tmp_path)).random
    in_memory = drawn().random
    assert stored.words == in_memory.words
    assert stored.vectors.tobytes() == in_memory.vectors.tobytes()


def test_vectors_without_direction_and_repeated_words_are_replaced(tmp_path):
    matrix, words = MATRIX.copy(), list(WORDS)
    matrix[100:400], matrix[400:600, 1], matrix[600:700, 0] = 0, np.nan, np.inf
    words[701:900] = ["w1"] * 199
    rows = drawn(200, wv=converted(tmp_path, words, matrix)).random
    assert (len(set(rows.words)), rows.reason) == (200, None)
    assert not {ROW[word] for word in rows.words} & {*range(100, 700), *range(701, 900)}
    assert np.isfinite(rows.vectors).all()


def test_words_have_the_prefix_of_the_vocabulary():
    words = [f"/c/{'en' if i % 20 == 0 else 'de'}/w{i}" for i in range(N)]
    query = Query([["w0", "w1000"]], [["w20"]])
    rows = drawn(20, wv=gensim_vectors(words), query=query, vocab_prefix="/c/en/").random
    assert len(rows.words) == 20
    assert all(word.startswith("/c/en/") for word in rows.words)


def test_of_a_very_wide_window_every_64th_row_is_tried():
    n = STEP * MOST_TRIED * 4
    words = [f"w{i}" for i in range(n)]
    row_of = {word: row for row, word in enumerate(words)}

    def vectors(forms):
        return np.ones((len(forms), 1), dtype=np.float32)

    order = ListedWords(WordFrequency("a list", tuple(words)), vectors)
    rows = draw_random_rows(["w200000"], ["w200000"], order, vectors, 900, 0)
    assert len(set(rows.words)) == 900
    assert all(row_of[word] >= 100_000 and row_of[word] % STEP == 0 for word in rows.words)


@pytest.mark.parametrize(("n", "per_form"), [(46, 10), (45, 9), (22, 4), (21, 0), (6, 0)])
def test_a_small_vocabulary_gives_what_it_has(n, per_form):
    # Four target words and two others, which are not drawn.
    query = Query([["w0", "w3"], ["w4", "w5"]], [["w1", "w2"]])
    found = drawn(40, wv=gensim_vectors(WORDS[:n], MATRIX[:n]), query=query)
    rows = found.random
    assert (rows.per_form, len(set(rows.words))) == (per_form, 4 * per_form)
    assert rows.vectors.shape == (4 * per_form, 3)
    expected = f"{per_form} instead of 10 random words for each target word: among {n} rows"
    assert (rows.reason or expected).startswith(expected)
    assert (rows.reason is None) == (per_form == 10)
    assert [len(part.words) for part in found.random_word_vectors()] == [2 * per_form] * 2


def test_none_are_drawn_unless_asked_for():
    found = WordEmbeddingModel(gensim_vectors()).look_up(QUERY, Lookup())
    assert found.random is None
    with pytest.raises(FairflowError, match="look up the query with random_words"):
        found.random_word_vectors()


def test_random_words_come_back_from_a_slice_and_give_equal_bytes(tmp_path):
    found = drawn()
    write_slice(found, tmp_path / "a.parquet")
    write_slice(drawn(), tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    read = read_slice(tmp_path / "a.parquet").random
    assert read.account == found.random.account
    assert read.vectors.dtype == np.float32
    assert read.vectors.tobytes() == found.random.vectors.tobytes()


def test_a_subquery_keeps_the_random_words_of_its_own_forms():
    whole = drawn()
    part = whole.subquery(Query([["w30", "w4999"]], [["w1", "w2"]], ["Y"], ["A"]))
    assert part.random.of == ("w30", "w4999")
    assert part.random.words == whole.random.words[20:]
    assert part.random.vectors.tobytes() == whole.random.vectors[20:].tobytes()
    (theirs,) = part.random_word_vectors()
    assert theirs.words == whole.random_word_vectors()[1].words


def test_sets_of_random_words_follow_the_positions_of_the_query():
    query = Query([["w9", "lost", "w7", "w9"], ["w5"]], [["w1"]], ["X", "Y"])
    found = drawn(12, query=query, lookup=Lookup(lost_vocabulary_threshold=0.5))
    words = found.random.words
    assert found.random.of == ("w9", "w7", "w5")
    first, second = found.random_word_vectors()
    assert first.name == "X"
    assert first.words == words[:8]
    assert list(first.form_of) == [*words[:4], *[None] * 4, *words[4:8], *[None] * 4]
    assert list(first.asked) == ["w9"] * 4 + ["lost"] * 4 + ["w7"] * 4 + ["w9"] * 4
    assert first.vectors.dtype == np.float64
    assert first.vectors.tolist() == found.random.vectors[:8].astype(float).tolist()
    assert first.row_of.tolist() == [0, 1, 2, 3, *[-1] * 4, 4, 5, 6, 7, *[-1] * 4]
    assert second.words == words[8:]


def test_words_with_one_vector_have_the_random_words_of_the_first():
    matrix = MATRIX.copy()
    matrix[30] = matrix[0]
    query = Query([["w0", "w5", "w30"], ["w6", "w30"]], [["w1"]])
    found = drawn(16, query=query, wv=gensim_vectors(matrix=matrix))
    of = {form: found.random.words[4 * i : 4 * i + 4] for i, form in enumerate(found.random.of)}
    first, second = found.random_word_vectors()
    assert (first.words, second.words) == ((*of["w0"], *of["w5"]), (*of["w6"], *of["w30"]))


# Each word half as frequent as the one before it, from 1/2.
SHARES = tuple(2.0 ** -(row + 1) for row in range(900))


def listed(words=WORDS[:900], shares=SHARES):
    return WordFrequency("wordfreq 3, en", tuple(words), shares[: len(words)])


def test_the_list_of_a_language_is_followed_in_place_of_the_order_of_the_model(tmp_path):
    # In the model the words are the other way round.
    wv = converted(tmp_path, WORDS[::-1], MATRIX)
    alike = tuple(1 / (1 + row) for row in range(2000))
    frequency = listed(WORDS[:2000], alike)
    rows = drawn(40, wv=wv, query=Query([["w300"]], [["w1"]]), frequency=frequency).random
    assert rows.source == "wordfreq 3, en"
    assert all(150 <= ROW[word] < 602 for word in rows.words)
    assert rows.vectors.tobytes() == wv.vectors(rows.words).tobytes()


def test_words_that_are_far_from_as_frequent_are_not_given():
    rows = drawn(40, query=Query([["w300"]], [["w1"]]), frequency=listed()).random
    assert (rows.words, rows.per_form, rows.source) == ((), 0, None)
    assert rows.reason.startswith("the model has no words as frequent as the target words: the nea")


def test_without_a_witness_of_frequency_nothing_is_drawn():
    rows = WordEmbeddingModel(gensim_vectors()).look_up(QUERY, Lookup(), random_words=40).random
    assert (rows.words, rows.per_form, rows.source) == ((), 0, None)
    assert rows.reason.startswith("how frequent the words of the model are is not known")
