"""Random words of a language model's vocabulary, for the null band of its scores."""

from dataclasses import replace

import numpy as np
import pytest
from one_cell import CELL, write_cell

from fairflow import Query, WordEmbeddingModel
from fairflow.language_models.inference.tokens import EmbeddingVocabulary, whole_words
from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.language_models.slices.slices import embedding_table, read_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.vectors.word_frequency import WordFrequency

WORDS = [first + second for first in "abcdefghij" for second in "klmnopqrst"]
QUERY = Query([["ak", "al"], ["bk", "bl"]], [["ck", "cl"], ["dk", "dl"]])
FORMS = [word for own in (*QUERY.target_sets, *QUERY.attribute_sets) for word in own]


def table(texts):
    rows = np.array([np.frombuffer((text * 4)[:8].encode(), np.uint8) for text in texts])
    ok, none = ("ok",) * len(texts), (None,) * len(texts)
    rows = rows.astype(np.float32)
    return EmbeddedTexts(tuple(texts), rows, "mean", -1, (1,) * len(texts), ok, none)


def drawn(words, seed=1, number=40):
    model = WordEmbeddingModel(EmbeddingVocabulary(table(FORMS), table))
    # None is more than twice as frequent as another.
    shares = tuple(1 / (row + 100) for row in range(len(words)))
    frequency = WordFrequency("wordfreq 3, en", tuple(words), shares)
    return model.look_up(
        QUERY, Lookup(), random_words=number, seed=seed, frequency=frequency
    ).random


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (["[PAD]", "a", "the", "##ing", "cat", "9", "über"], ["the", "cat", "über"]),
        (["<s>", "Ġthe", "ing", "Ġcat", "Ġ9", "ĠÃ¼ber", "Ġ"], ["the", "cat"]),
        (["Ġ", "▁", "the", "##ing", "##ed", "cat"], ["the", "cat"]),
        (["##", "Ġthe", "Ġcat"], ["the", "cat"]),
        (["▁the", "ing", "▁über", "▁", "▁the"], ["the", "über"]),
    ],
)
def test_whole_words_are_tokens_of_letters_that_begin_a_word(tokens, words):
    assert whole_words(tokens) == words


def test_random_words_are_others_than_those_of_the_query_and_follow_the_seed():
    random = drawn(WORDS)
    assert random.source == "wordfreq 3, en"
    assert random.of == ("ak", "al", "bk", "bl")
    assert len(random.words) == 4 * random.per_form == 40
    assert not {*random.words} & {*FORMS}
    assert drawn(WORDS).words == random.words != drawn(WORDS, seed=2).words
    np.testing.assert_array_equal(random.vectors, table(random.words).rows)


def test_texts_are_embedded_once_and_those_of_the_query_not_again():
    asked = []

    def embed(texts):
        asked.append(list(texts))
        return table(texts)

    vocabulary = EmbeddingVocabulary(table(FORMS), embed)
    for _ in range(2):
        found = vocabulary.vectors(["new", FORMS[0], "newer"])
        np.testing.assert_array_equal(found, table(["new", FORMS[0], "newer"]).rows)
    assert asked == [["new", "newer"]]
    assert "new" not in vocabulary


def test_random_words_are_kept_beside_the_texts_of_a_slice(tmp_path):
    random = drawn(WORDS)
    embedded = table(FORMS)
    table_of_both = embedding_table(*CELL, replace(embedded, random=random))
    found = read_embeddings([write_cell(table_of_both, tmp_path / "embeddings.parquet")])[CELL]
    assert found.texts == embedded.texts
    np.testing.assert_array_equal(found.rows, embedded.rows)
    assert found.random.account == random.account
    np.testing.assert_array_equal(found.random.vectors, random.vectors)
