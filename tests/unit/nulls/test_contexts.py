"""Words in sentences: which they are, where the word is, and what a query makes of its vectors."""

from functools import partial

import numpy as np
import pytest
from pools import SIZES, pool
from with_torch import embed_texts

from fairflow.nulls.ceat import associations, crossed_effect
from fairflow.nulls.contexts import contexts_of, query_in_contexts, vectors_in_contexts

TEXTS = [
    "A bill passed. Bill said: no!\nThe billing\n\nHOME of (home). Home is here",
    "Bill said: no!",
]


def test_a_context_is_a_sentence_with_the_word_as_it_is_written_or_with_a_capital():
    found = contexts_of(TEXTS, ["Bill", "bill", "home"], 9, seed=1)
    assert sorted(found["home"]) == ["HOME of (home).", "Home is here"]
    assert found["Bill"] == ["Bill said: no!"]
    assert found["bill"] == ["A bill passed."]
    assert contexts_of(TEXTS, ["bill"], 9, seed=1)["bill"] != found["bill"]
    assert contexts_of(TEXTS, ["said", "absent"], 9, seed=1)["absent"] == []


def test_contexts_are_drawn_by_the_seed_and_the_word_alone():
    texts = [f"Number {n} of words." for n in range(30)]
    some = contexts_of(texts, ["words"], 5, seed=1)["words"]
    assert len({*some}) == 5
    more = contexts_of(texts, ["of", "words"], 8, seed=1)
    assert more["words"][:5] == some
    assert more["of"] != more["words"]
    assert contexts_of(texts, ["words"], 5, seed=2)["words"] != some


@pytest.mark.torch
def test_the_vector_of_a_word_in_a_sentence_is_the_mean_state_of_its_own_tokens(masked):
    import torch

    sentences = {"receptionist": ["The receptionist was here", "he " * 40 + "a receptionist"]}
    sentences["he"] = ["The nurse and he was he"]
    vectors = vectors_in_contexts(sentences, partial(embed_texts, masked, pooling="mean"))
    assert [len(vectors[word]) for word in sentences] == [1, 1]
    for word, first in (("receptionist", 1), ("he", 3)):
        (text,) = masked.tokens.encode(sentences[word][:1])
        with torch.inference_mode():
            states = masked.body(input_ids=torch.tensor([text.ids]))[0][0].numpy()
        own = [p for p, number in enumerate(text.words) if number == first]
        assert vectors[word][0] == pytest.approx(states[own].mean(axis=0), abs=1e-5)


def words_and_vectors(contexts):
    """A query of words w0, w1, ..., and a number of contexts for each."""
    vectors = np.concatenate([pool(1.0)] * 3, axis=1)
    names = iter(f"w{n}" for n in range(sum(SIZES)))
    sets = [[next(names) for _ in range(size)] for size in SIZES]
    query = [*zip("XYXB", sets, strict=True)]
    number = {f"w{n}": contexts.get(f"w{n}", 15) for n in range(sum(SIZES))}
    return query, {w: v[: number[w]] for (w, v) in zip(number, vectors, strict=True)}


def test_words_with_few_contexts_are_left_out_and_the_fewest_of_the_rest_count():
    query, vectors = words_and_vectors({"w1": 9, "w5": 12})
    told, arrays = query_in_contexts(query, vectors, seed=1)
    assert told == {"words": [3, 3, 3, 2], "left_out": ["w1"], "contexts": 12, "reason": ""}
    kept = [[vectors[word] for word in words if word != "w1"] for _, words in query]
    assert arrays["associated"] == pytest.approx(associations(kept))
    assert crossed_effect(arrays["associated"], 3).reason == ""
    assert len(arrays["effects"]) == len(arrays["variances"]) == 1000
    assert np.unique(arrays["effects"]).size > 900
    assert (query_in_contexts(query, vectors, seed=2)[1]["effects"] != arrays["effects"]).any()


def test_a_set_without_words_is_a_reason():
    query, vectors = words_and_vectors({"w10": 3, "w11": 3})
    told, arrays = query_in_contexts(query, vectors, seed=1)
    assert (told["reason"], arrays) == ("no word of B has 10 contexts", {})
