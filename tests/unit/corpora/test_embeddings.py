"""Embeddings: equal to their formulas computed densely, and to gensim's own training."""

from collections import Counter

import gensim.models
import numpy as np
import pytest
from own_process import output_of

from fairflow.corpora.cooccurrence import count_subcorpus
from fairflow.corpora.embeddings import (
    CHANGES,
    EMBEDDINGS,
    LONGEST_PIECE,
    Training,
    write_vectors,
)
from fairflow.corpora.sample import draw_sample
from fairflow.errors import FairflowError
from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore

WINDOW, MINIMUM, SEED = 3, 5, 11


def dense_ppmi(documents, words):
    """Positive PMI of words with each other; all words of the documents count for the sums."""
    names = sorted({word for text in documents for word in text})
    place = {word: number for number, word in enumerate(names)}
    counts = np.zeros((len(names), len(names)))
    for text in documents:
        for i, first in enumerate(text):
            for second in text[max(0, i - WINDOW) : i]:
                counts[place[first], place[second]] += 1
                counts[place[second], place[first]] += 1
    of_each, chosen = counts.sum(axis=1), [place[word] for word in words]
    expected = np.outer(of_each, of_each) / counts.sum()
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(counts / expected), 0)[np.ix_(chosen, chosen)]


def frequent(documents):
    counts = Counter(word for text in documents for word in text)
    words = [word for word, count in counts.items() if count >= MINIMUM]
    return sorted(words, key=lambda word: (-counts[word], word))


def test_pmi_is_its_formula(random_documents, sample_of):
    words, matrix = EMBEDDINGS["pmi"](
        sample_of(random_documents), WINDOW, MINIMUM, SEED, contexts=8
    )
    assert words == frequent(random_documents)
    assert matrix.dtype == np.float32
    np.testing.assert_allclose(matrix, dense_ppmi(random_documents, words)[:, :8], rtol=1e-6)


def test_pmi_of_a_draw_follows_from_the_counts_by_block(random_documents, sample_of, monkeypatch):
    sample, listed = sample_of(random_documents), ["word5", "word2"]
    training = Training("toy-all-pmi", "pmi", {"contexts": 10}, WINDOW, 1, SEED)
    counts = count_subcorpus(sample, "toy-all", {}, listed, 0, SEED, contexts=10, window=WINDOW)
    words, full = training.vectors(sample)
    held, vectors = training.reweighted(counts, "seeds", 0)
    assert (vectors == full[[words.index(word) for word in listed]]).all()
    near = training.reweighted(counts, "documents", 4)[1]
    monkeypatch.setitem(CHANGES, "pmi", 1.0)
    drawn, _ = draw_sample(sample, "documents", 4, SEED, "toy-all-pmi")
    texts = [random_documents[number] for number in drawn.documents]
    anew = dense_ppmi(texts, [*listed, *counts.contexts[:10]])[:2, 2:]
    held, vectors = training.reweighted(counts, "documents", 4)
    assert held == listed
    assert (
        0
        < np.linalg.norm(near - full[[words.index(word) for word in held]])
        < 0.5 * (np.linalg.norm(vectors - full[[words.index(word) for word in held]]))
    )
    np.testing.assert_allclose(vectors, anew, rtol=1e-6)


def test_ppmi_svd_is_the_dense_decomposition(random_documents, sample_of):
    dims = 5
    words, matrix = EMBEDDINGS["ppmi_svd"](
        sample_of(random_documents), WINDOW, MINIMUM, SEED, dims=dims
    )
    left, sizes, _ = np.linalg.svd(dense_ppmi(random_documents, words))
    left = left[:, :dims] * np.sqrt(sizes[:dims])
    left *= np.sign(left[np.abs(left).argmax(axis=0), np.arange(dims)])
    np.testing.assert_allclose(matrix, left, atol=1e-6)


@pytest.mark.parametrize(
    ("embedding", "its_class", "parameters"),
    [
        ("sgns", gensim.models.Word2Vec, {"negative": 3}),
        ("fasttext", gensim.models.FastText, {"bucket": 1000}),
    ],
)
def test_training_is_that_of_gensim_bit_by_bit(
    embedding, its_class, parameters, random_documents, sample_of
):
    long_text = random_documents[-1] * (1 + 2 * LONGEST_PIECE // len(random_documents[-1]))
    documents = [*random_documents, long_text]
    words, matrix = EMBEDDINGS[embedding](
        sample_of(documents), WINDOW, MINIMUM, SEED, dims=4, epochs=2, **parameters
    )
    pieces = [
        text[start : start + LONGEST_PIECE]
        for text in documents
        for start in range(0, len(text), LONGEST_PIECE)
    ]
    model = its_class(
        pieces,
        vector_size=4,
        epochs=2,
        window=WINDOW,
        min_count=MINIMUM,
        seed=SEED,
        workers=1,
        sg=1,
        **parameters,
    )
    assert words == frequent(documents)
    assert (matrix == model.wv[words]).all()


def test_training_does_not_depend_on_the_hashes_of_a_process(tmp_path):
    code = """if True:
        import sys, numpy as np
        from fairflow.corpora.corpus import Corpus
        from fairflow.corpora.embeddings import EMBEDDINGS
        from fairflow.corpora.sample import Sample
        tokens = np.random.default_rng(1).integers(0, 9, 500).astype(np.int32)
        corpus = Corpus(tokens, np.array([0, 500]), list("abcdefghi"), {}, np.zeros(1), {})
        sample = Sample(corpus, np.arange(1))
        vectors = [EMBEDDINGS[name](sample, 2, 1, 5, dims=3, epochs=1, **more)[1]
                   for name, more in (("sgns", {}), ("fasttext", {"bucket": 100}))]
        print(np.vstack(vectors).tobytes().hex())
    """
    found = [output_of(code, PYTHONHASHSEED=seed) for seed in "12"]
    assert found[0] == found[1] != ""


@pytest.mark.parametrize("embedding", ["ppmi_svd", "sgns", "fasttext"])
def test_a_sample_with_too_few_words_is_refused_with_advice(embedding, sample_of):
    with pytest.raises(
        FairflowError, match=r"1 words .* 2 times .* more than 2 are needed. Lower dims"
    ):
        EMBEDDINGS[embedding](sample_of([["a", "a", "b"]]), WINDOW, 2, SEED, dims=2)


def test_written_vectors_are_converted_like_a_download(tmp_path):
    words, matrix = (
        ["peace", "décret", "united_states"],
        np.random.default_rng(0).normal(size=(3, 5)),
    )
    write_vectors(words, matrix, tmp_path / "model.bin")
    made = [tmp_path / name for name in ("vectors", "index", "card")]
    card = convert(tmp_path / "model.bin", "word2vec-binary", *made)
    assert (card["words"], card["dims"]) == (3, 5)
    with VectorStore(*made) as store:
        found = store.vectors(words)
    assert (found == matrix.astype(np.float32)).all()
