"""The slice of a query holds its vectors and the account of its look-up."""

import time

import numpy as np
import pytest
from one_cell import read_slice, write_slice

from fairflow import Query
from fairflow.errors import FairflowError
from fairflow.queries.lookup import Lookup
from fairflow.vectors.query_vectors import check_found, look_up_query
from fairflow.vectors.same_vectors import LEAST_WORDS, same_directions

ROWS = {"he": [3, 4], "him": [0.1, 1e-40], "she": [5, 12], "naïve": [-0.0, 2], "zero": [0, 0]}

QUERY = Query(
    [["he", "HIM", "nobody"], ["she", "he"], ["zero"]],
    [["naïve", "naïve"], ["him"]],
    ["Men", "Women", "None"],
    ["Nai\u0308ve", "Other"],
)


def rows_of(words):
    return np.array([ROWS[word] for word in words], dtype=np.float32).reshape(len(words), 2)


def look_up(query=QUERY, threshold=1 / 3):
    how = {"lost_vocabulary_threshold": threshold, "zero_vectors": "error"}
    lookup = Lookup(({}, {"lowercase": True}), **how)
    return look_up_query(query, ROWS.__contains__, rows_of, lookup)


def test_sets_share_rows_and_keep_their_own_order():
    targets, attributes = look_up().word_vectors()
    assert [target.words for target in targets] == [("he", "him"), ("she", "he"), ("zero",)]
    assert targets[1].vectors.tolist() == [[5, 12], [3, 4]]
    assert attributes[0].words == ("naïve",)
    assert targets[0].vectors.dtype == np.float64


def test_each_word_of_a_set_knows_its_row():
    query = Query([["nobody", "HE", "she", "he"]], [["him"]])
    targets, _ = look_up(query).word_vectors()
    assert targets[0].row_of.tolist() == [-1, 0, 1, 0]


def test_normalize_divides_each_vector_by_its_length():
    targets, _ = look_up(Query([["he", "she"]], [["naïve"]])).word_vectors(normalize=True)
    expected = [[3 / 5, 4 / 5], [5 / 13, 12 / 13]]
    assert targets[0].vectors.tolist() == pytest.approx(np.array(expected), abs=1e-15)


def test_a_set_without_a_found_word_has_no_rows():
    vectors = look_up(Query([["nobody"]], [["him"]]))
    targets, _ = vectors.word_vectors()
    assert targets[0].vectors.shape == (0, 2)
    assert vectors.rejected[1].startswith("Target set 0 lost 1 of 1 words (nobody)")


def test_where_less_than_a_fifth_of_words_and_queries_is_found_nothing_is_asked():
    english = look_up(Query([["he", "him", "she"]], [["zero"]]))
    foreign = [look_up(Query([[f"mot{n}", f"mot{n + 1}"]], [[f"mot{n + 2}"]])) for n in range(30)]
    with pytest.raises(FairflowError, match=r"^only 4 of the 36 .* 30 of 31 queries\.") as raised:
        check_found([english, *foreign])
    assert len(str(raised.value).splitlines()) == 3


def test_a_fifth_of_the_words_or_of_the_queries_is_enough():
    english = look_up(Query([["he", "him", "she"]], [["zero"]]))
    long = look_up(Query([[f"mot{n}" for n in range(15)]], [["mot15"]]))
    check_found([english, *[long] * 9])
    foreign = [look_up(Query([[f"mot{n}"]], [[f"mot{n + 1}"]])) for n in range(40)]
    check_found([*[english] * 10, *foreign])


def test_a_slice_survives_its_file(tmp_path):
    written = look_up()
    read = read_slice(write_slice(written, tmp_path / "slice.parquet"))
    assert (read.targets, read.attributes) == (written.targets, written.attributes)
    for before, after in zip(written.targets, read.targets, strict=True):
        assert list(after.found.items()) == list(before.found.items())
    assert read.forms == written.forms
    assert read.lookup.lost_vocabulary_threshold == 1 / 3
    assert read.vectors.dtype == np.float32
    assert read.vectors.tobytes() == written.vectors.tobytes()
    assert read.query == QUERY


def test_equal_content_gives_equal_bytes_at_any_time(tmp_path, monkeypatch):
    write_slice(look_up(), tmp_path / "first.parquet")
    a_year_later = time.time() + 365 * 86400
    monkeypatch.setattr(time, "time", lambda: a_year_later)
    write_slice(look_up(), tmp_path / "second.parquet")
    assert (tmp_path / "first.parquet").read_bytes() == (tmp_path / "second.parquet").read_bytes()


def test_a_subquery_picks_sets_by_name_in_its_own_order():
    part = look_up().subquery(
        Query([["she", "he"], ["he"]], [["him"]], ["Women", "Men"], ["Other"])
    )
    assert [account.name for account in part.targets] == ["Women", "Men"]
    assert [account.name for account in part.attributes] == ["Other"]
    targets, attributes = part.word_vectors()
    assert targets[0].vectors.tolist() == [[5, 12], [3, 4]]
    assert attributes[0].words == ("him",)


def test_a_subquery_holds_the_vectors_of_its_own_sets_alone():
    # The zero vector of another set must not make it degenerate.
    part = look_up().subquery(Query([["she", "he"]], [["him"]], ["Women"], ["Other"]))
    assert part.forms == ("he", "him", "she")
    assert part.vectors.tobytes() == rows_of(part.forms).tobytes()


def test_a_zero_vector_is_an_absent_word_and_counts_otherwise_on_request():
    rows = {"he": [0.0, 0.0], "He": [1.0, 2.0], "she": [3.0, 4.0], "they": [0.0, float("nan")]}

    def found(policy):
        return look_up_query(
            Query([["he", "they"]], [["she"]]),
            rows.__contains__,
            lambda forms: np.array([rows[form] for form in forms], dtype=np.float32),
            Lookup([{}, {"titlecase": True}], zero_vectors=policy),
        )

    assert found("error").without_direction == ["he", "they"]
    # As in HistWords, where a word that is too rare in a period has a vector of zeros.
    assert found("absent").forms == ("He", "they", "she")
    assert Lookup().zero_vectors == "absent"
    lost = found("lost")
    # The next form of a word takes the place of one without direction.
    assert list(lost.targets[0].found) == ["He"]
    assert lost.targets[0].lost == ["they"]
    assert lost.without_direction == []


@pytest.mark.parametrize(
    ("policy", "status"), [("keep", None), ("drop", None), ("refuse", "shared_words")]
)
def test_a_word_of_two_target_sets_follows_the_policy(policy, status):
    query = Query([["he", "she"], ["she"]], [["math"]])
    rows = {"he": [1, 0], "she": [0, 1], "math": [1, 1]}
    found = look_up_query(
        query,
        rows.__contains__,
        lambda forms: np.array([rows[form] for form in forms], dtype=np.float32),
        Lookup(shared_words=policy),
    )
    assert [account.shared for account in found.targets] == [["she"], ["she"]]
    targets, _ = found.word_vectors()
    assert ("she" in targets[0].words) == (policy != "drop")
    assert (found.rejected and found.rejected[0]) == status


def test_what_is_shared_depends_on_the_sets_of_a_subquery():
    query = Query([["he", "she"], ["they"], ["she"]], [["math"]], ["A", "B", "C"])
    found = look_up_query(
        query,
        lambda form: True,
        lambda forms: np.ones((len(forms), 2), dtype=np.float32),
        Lookup(shared_words="refuse"),
    )
    assert found.rejected[0] == "shared_words"
    part = found.subquery(Query([["he", "she"], ["they"]], [["math"]], ["A", "B"]))
    assert part.rejected is None
    assert part.targets[0].shared == []


WORDS = [f"word{number}" for number in range(2 * LEAST_WORDS)]
VECTORS = np.random.default_rng(0).normal(size=(len(WORDS), 5)).astype(np.float32)


def slices(words=WORDS, vectors=VECTORS):
    """The only query of a model that has those words."""
    half = len(WORDS) // 2
    rows = dict(zip(words, vectors, strict=True))

    def read(forms):
        return np.array([rows[form] for form in forms]).reshape(len(forms), vectors.shape[1])

    query = Query([WORDS[:half]], [WORDS[half:]], ["T"], ["A"])
    return {"query": look_up_query(query, rows.__contains__, read, Lookup())}


@pytest.mark.parametrize(
    "other",
    [
        slices(),
        slices(WORDS[:-5], VECTORS[:-5]),
        slices(vectors=VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)),
        slices(vectors=VECTORS.astype(np.float16).astype(np.float32)),
    ],
    ids=["whole", "in part", "at another length", "in half precision"],
)
def test_the_same_vectors_are_known(other):
    assert same_directions(slices(), other)
    assert same_directions(other, slices())


def test_other_vectors_of_the_same_words_are_not_the_same():
    one_word_turned = VECTORS.copy()
    one_word_turned[3] = -VECTORS[3]
    for vectors in (one_word_turned, VECTORS[:, ::-1], VECTORS[:, :4]):
        assert not same_directions(slices(), slices(vectors=vectors))
