"""Reliability of the parts of queries, and shares of variance, of planted cosines."""

import math

import numpy as np
import pytest

from fairflow import Query, WordEmbeddingModel
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs
from fairflow.validity.consistency import reliability
from fairflow.validity.evidence import Evidence

NAMES = ["X", "Y"], ["A", "B"]


def planted(table, n_first=2, targets=None):
    """A model and a query: row i of the table is target word i, column j attribute word j.

    The cosines are those of the table, with reversed sign for the second attribute set.
    """
    items, parts = table.shape
    signs = np.where(np.arange(parts) < n_first, 1, -1)
    rest = np.sqrt(1 - (table**2).sum(axis=1))
    vectors = np.column_stack([table * signs, rest])
    words = {f"t{i}": row for i, row in enumerate(vectors)}
    words |= {f"a{j}": row for j, row in enumerate(np.eye(parts + 1)[:parts])}
    attributes = [f"a{j}" for j in range(parts)]
    half = items // 2 if targets is None else targets
    names = [f"t{i}" for i in range(items)]
    query = Query(
        [names[:half], names[half:]], [attributes[:n_first], attributes[n_first:]], *NAMES
    )
    return words, query


def evidence(queries, **models):
    """Evidence of queries, by name, in models, words by name."""
    slices = {
        (model, name): WordEmbeddingModel(words).look_up(query, Lookup())
        for model, words in models.items()
        for name, query in queries.items()
    }
    return Evidence({}, {}, slices, dict.fromkeys(queries, "Gender"), {})


def alpha_of(table, parts):
    return table.set_index("parts")["value"][parts]


def parallel(items, parts, correlation, seed=0):
    """Parts whose sample correlations are all the same: (items, parts), of small numbers."""
    draws = np.random.default_rng(seed).normal(size=(items, parts))
    draws -= draws.mean(axis=0)
    white = np.linalg.qr(draws)[0]
    wanted = np.full((parts, parts), correlation) + (1 - correlation) * np.eye(parts)
    return 0.3 * white @ np.linalg.cholesky(wanted).T


@pytest.mark.parametrize("parts", [4, 6, 10])
def test_alpha_of_parallel_parts_follows_spearman_and_brown(parts):
    words, query = planted(parallel(20, parts, 0.3), n_first=parts // 2)
    alpha = alpha_of(reliability(evidence({"q": query}, m=words)), "attribute words")
    assert alpha == pytest.approx(parts * 0.3 / (1 + (parts - 1) * 0.3), abs=1e-6)


def test_target_words_and_pairs_are_parts_with_their_own_signs():
    draws = np.random.default_rng(1)
    names = [*(f"x{i}" for i in range(3)), *(f"y{i}" for i in range(4)), *"abcdefghij"]
    words = {name: draws.normal(size=6) for name in names}
    pairs = (("a", "b"), ("c", "d"), ("e", "f"))
    sets = [names[:3], names[3:7]], [["a", "c", "e"], ["g", "h"]]
    query = Query(*sets, *NAMES, QueryInputs(pairs=pairs))
    table = reliability(evidence({"q": query}, m=words))

    def cos(one, other):
        u, v = words[one], words[other]
        return u @ v / math.sqrt((u @ u) * (v @ v))

    def alpha(rows):
        k = len(rows[0])
        each = sum(np.var([row[j] for row in rows], ddof=1) for j in range(k))
        return k / (k - 1) * (1 - each / np.var([sum(row) for row in rows], ddof=1))

    def error(rows):
        """The error variance of a mean over parts."""
        return (1 - alpha(rows)) * np.var([np.mean(row) for row in rows], ddof=1)

    near_x, near_y = ([[cos(a, t) for t in one] for of in sets[1] for a in of] for one in sets[0])
    differences = [np.mean(x) - np.mean(y) for x, y in zip(near_x, near_y, strict=True)]
    of_difference = 1 - (error(near_x) + error(near_y)) / np.var(differences, ddof=1)
    of_pairs = [[cos(t, first) - cos(t, second) for first, second in pairs] for t in names[:7]]
    expected = pytest.approx(max(of_difference, -1), abs=1e-6)
    assert alpha_of(table, "target words") == expected
    assert alpha_of(table, "pairs") == pytest.approx(alpha(of_pairs), abs=1e-6)
    sizes = table.drop_duplicates("parts").set_index("parts")[["n_items", "n_parts"]]
    assert sizes.loc["target words"].tolist() == [5, 7]
    assert sizes.loc["pairs"].tolist() == [7, 3]


def test_what_all_words_share_with_an_item_is_no_disagreement():
    """Target words differ in a trait, and much more in how near they are to all attribute words."""
    draws = np.random.default_rng(3)
    trait, near, noise = draws.normal(size=40), draws.normal(size=40), draws.normal(size=(40, 16))
    keyed = trait[:, np.newaxis] + noise
    keyed[:, :8] += 4 * near[:, np.newaxis]
    keyed[:, 8:] -= 4 * near[:, np.newaxis]
    words, query = planted(keyed / 100, n_first=8)
    alpha = alpha_of(reliability(evidence({"q": query}, m=words)), "attribute words")
    assert alpha == pytest.approx(16 / (16 + 1), abs=0.05)


def test_a_query_that_lost_its_words_has_every_row_with_the_reason():
    words, query = planted(parallel(8, 4, 0.3))
    del words["t0"], words["t1"]
    table = reliability(evidence({"q": query}, m=words))
    assert table["parts"].tolist() == ["attribute words", "target words"]
    assert table["value"].isna().all()
    assert table["reason"].str.startswith("X lost 2 of 4 words").all()


def test_one_target_set_has_no_signs_and_one_target_word_no_variance():
    words, _ = planted(parallel(8, 4, 0.3))
    names = [f"t{i}" for i in range(8)]
    attributes = [["a0", "a1"], ["a2", "a3"]]
    queries = {
        "one set": Query([names], attributes, ["X"], NAMES[1]),
        "one word": Query([names[:1]], attributes, ["X"], NAMES[1]),
    }
    table = reliability(evidence(queries, m=words)).set_index(["query", "parts"])
    assert table.loc[("one set", "attribute words"), "value"] > 0
    assert "there are 1" in table.loc[("one set", "target words"), "reason"]
    assert "there are 1 and 2" in table.loc[("one word", "attribute words"), "reason"]
