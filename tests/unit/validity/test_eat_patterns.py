"""ML-EAT: what lies behind one effect size, against loops over words and by construction."""

import math
from itertools import combinations

import numpy as np
import pytest

from fairflow.metrics.weat import WEAT
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.validity.eat_patterns import eat_patterns, is_expected_pattern
from fairflow.validity.evidence import Evidence
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

NAMES = ["Flowers", "Insects"], ["Pleasant", "Unpleasant"]


def found(sets, names=NAMES, lookup=None):
    """The slice of a query of these vectors: two lists of (words, dims)."""
    words = [[[f"{r}{s}{w}" for w in range(len(v))] for s, v in enumerate(of)]
             for r, of in zip("tu", sets, strict=True)]  # fmt: skip
    vectors = {
        word: list(vector)
        for of, names_of in zip(sets, words, strict=True)
        for rows, row_names in zip(of, names_of, strict=True)
        for word, vector in zip(row_names, rows, strict=True)
    }
    return WordEmbeddingModel(vectors).look_up(Query(*words, *names), lookup or Lookup())


def table(slice_):
    """The one row of the table."""
    evidence = Evidence({}, {}, {("m", "q"): slice_}, {"q": "Valence"}, {})
    (row,) = eat_patterns(evidence).to_dict("records")
    return row


def random_sets(sizes=((5, 4), (6, 7)), dims=10, seed=1):
    generator = np.random.default_rng(seed)
    return tuple([generator.normal(0.3, 1, (n, dims)) for n in of] for of in sizes)


def cosine(a, b):
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def sd(values):
    middle = sum(values) / len(values)
    return math.sqrt(sum((x - middle) ** 2 for x in values) / (len(values) - 1))


def test_means_spreads_and_effect_sizes_are_those_of_loops_over_words():
    (x, y), (a, b) = random_sets()
    row = table(found(((x, y), (a, b))))
    for t, target in (("x", x), ("y", y)):
        near_of = {}
        for s, attribute in (("a", a), ("b", b)):
            every = [cosine(w, u) for w in target for u in attribute]
            assert row[f"mean_{t}{s}"] == pytest.approx(sum(every) / len(every))
            assert row[f"sd_{t}{s}"] == pytest.approx(sd(every))
            near_of[s] = [sum(cosine(w, u) for w in target) / len(target) for u in attribute]
        means = {s: sum(near) / len(near) for s, near in near_of.items()}
        expected = (means["a"] - means["b"]) / sd(near_of["a"] + near_of["b"])
        assert row[f"d_{t}"] == pytest.approx(expected)
        pool = near_of["a"] + near_of["b"]
        centre, n = sum(pool) / len(pool), len(near_of["a"])
        reached = [
            abs(sum(chosen) - n * centre) >= abs(sum(near_of["a"]) - n * centre) - 1e-12
            for chosen in combinations(pool, n)
        ]
        assert row[f"p_{t}"] == pytest.approx(sum(reached) / len(reached))


def test_the_four_means_give_the_effect_size_of_the_query():
    """Level 1 of the test is WEAT: its numerator is a difference of the four means."""
    targets, attributes = random_sets(sizes=((5, 5), (6, 6)))
    slice_ = found((targets, attributes))
    row = table(slice_)
    difference = row["mean_xa"] - row["mean_xb"] - row["mean_ya"] + row["mean_yb"]
    assert 5 * difference == pytest.approx(WEAT().compute(*slice_.word_vectors()).result)


A, B, NEITHER = (1, 0), (0, 1), (1, 1)


@pytest.mark.parametrize(
    ("x", "y", "pattern"),
    [
        (A, B, "Flowers nearer to Pleasant, Insects to Unpleasant"),
        (B, A, "Flowers nearer to Unpleasant, Insects to Pleasant"),
        (A, (3, 2), "both nearer to Pleasant, Flowers more so"),
        ((3, 2), A, "both nearer to Pleasant, Insects more so"),
        (B, (2, 3), "both nearer to Unpleasant, Flowers more so"),
        ((2, 3), B, "both nearer to Unpleasant, Insects more so"),
        (A, A, "both nearer to Pleasant, equally so"),
        (A, NEITHER, "Flowers nearer to Pleasant, Insects to neither"),
        (B, NEITHER, "Flowers nearer to Unpleasant, Insects to neither"),
        (NEITHER, A, "Insects nearer to Pleasant, Flowers to neither"),
        (NEITHER, B, "Insects nearer to Unpleasant, Flowers to neither"),
        (NEITHER, NEITHER, "neither clearly nearer to Pleasant or Unpleasant"),
    ],
)
def test_the_pattern_names_where_each_target_set_was_put(x, y, pattern):
    """Target words lie exactly at their place, attribute words around two axes."""
    tilts = np.array([-0.2, -0.1, 0.0, 0.1, 0.2])
    first = np.column_stack([np.ones(5), tilts])
    targets = [np.array([place, place], float) for place in (x, y)]
    row = table(found((targets, [first, first[:, ::-1]])))
    assert row["pattern"] == pattern
    assert row["reason"] == ""
    assert is_expected_pattern(row) == ({x, y} == {A, B})


def test_noise_is_near_neither_in_19_of_20_cases():
    rows = [table(found(random_sets(((6, 6), (8, 8)), 20, seed))) for seed in range(400)]
    p = np.array([row[name] for row in rows for name in ("p_x", "p_y")])
    assert np.mean(p < 0.05) == pytest.approx(0.05, abs=0.03)
