"""Words between two contrasts whose groups are known: those of random words, or planted ones."""

from dataclasses import asdict

import laboratory
import numpy as np
import pandas as pd
from worlds import noise

from fairflow.metrics.intersections import QUADRANTS, Intersections
from fairflow.nulls.intersections import intersections
from fairflow.scores.ranked import PRIMARY
from fairflow.statistics.uncertainty import Statistics, quantify
from fairflow.vectors.query_vectors import WordVectors

SETS = ("White", "Black", "Men", "Women")
GROUPS = tuple(f"{race} {gender}" for race in SETS[:2] for gender in SETS[2:])
SETTINGS = Statistics(resamples=500, joint_draws=0, random_sets=500)
N_NAMES = 16


def word_vectors(name, rows):
    words = tuple(f"{name} {number}" for number in range(len(rows)))
    return WordVectors(name, words, words, rows, words)


def scored(query, words, names, random_words):
    """The rows of a query in a study's scores: a measure each.

    Parameters
    ----------
    names : of the four sets. random_words : as many for each word, one word after the other.
    """
    sets = [word_vectors(name, of) for name, of in zip(SETS, names, strict=True)]
    outcome = Intersections().compute([word_vectors("Traits", words)], sets)
    drawn = outcome.resampling([word_vectors("random", random_words)])
    own, per_word = outcome.resampling(), len(random_words) // len(words)
    found = quantify(
        own, outcome.measures, SETTINGS, 0, (query,), random_words=(drawn, per_word, "known")
    )
    given = [one._asdict() for one in outcome.words]
    for measure, value in outcome.measures.items():
        yield {
            "model": "a", "metric": "intersections", "query": query, "criterion": "Groups",
            "subquery": query, "measure": measure, PRIMARY: measure == QUADRANTS[0],
            "value": value, "reason": None, "targets": ["Traits"], "attributes": [*SETS],
            "status": "ok", "fair": np.nan, "words": given if measure == QUADRANTS[0] else [],
            **asdict(found[measure]),
        }  # fmt: skip


def drawn(random, kind, n_words, per_word, planted, turned):
    """Scores of two queries whose names lean to either side of one direction; reversed or not.

    Parameters
    ----------
    planted : share of the words that are drawn among those in the group of the first sets.
    """
    many = noise(random, 40 * n_words, kind)
    race, gender = (one / np.linalg.norm(one) for one in noise(random, 2, kind))
    size = np.linalg.norm(many, axis=1).mean()
    lists = []
    for sign in (1, -1 if turned else 1):
        sides = (sign * race, -sign * race, gender, -gender)
        lists.append([noise(random, N_NAMES, kind) + size * side for side in sides])
    words, rest = many[:n_words].copy(), many[(1 + per_word) * n_words :]
    sets = [word_vectors(name, of) for name, of in zip(SETS, lists[0], strict=True)]
    found = Intersections().compute([word_vectors("rest", rest)], sets).words
    inside = [one.value == 0 for one in found if one.measure == "quadrant"]
    some = round(planted * n_words)
    words[:some] = rest[inside][:some]
    random_words = many[n_words : (1 + per_word) * n_words]
    queries = zip(("first", "second"), lists, strict=True)
    return pd.DataFrame(
        row for query, names in queries for row in scored(query, words, names, random_words)
    )


def table_of(scores, random_words):
    by = {"first": ["one list"], "second": ["another list"]}
    how = {"by": by, "shared": dict.fromkeys(by, 0.0), "random_words": random_words}
    return intersections(scores, how)


def claims_and_truth(random, kind, n_words, per_word, planted, turned):
    """The claims on a world, and for each query the sign of each group next to random words."""
    scores = drawn(random, kind, n_words, per_word, planted, turned)
    table = table_of(scores, per_word * n_words)
    claims = laboratory.claims_of({"scores": scores, "intersections": table}).claims
    first = dict(zip(GROUPS, (1, -1, -1, -1), strict=True)) if planted else {}
    other = dict(zip(GROUPS, (-1, -1, 1, -1), strict=True)) if planted and turned else first
    return claims, {"first": first, "second": other}
