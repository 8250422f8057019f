"""Words that share a vector, and words that a set holds twice: one finding, not several."""

from itertools import combinations

import numpy as np
import pytest

from fairflow.metrics.rnd import RND
from fairflow.metrics.weat import WEAT
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.statistics.grouped_statistic import GroupedStatistic
from fairflow.statistics.uncertainty import Statistics, quantify

FIRST, SECOND = [f"x{i}" for i in range(6)], [f"y{i}" for i in range(6)]
POLES = [["a0", "a1", "a2"], ["b0", "b1", "b2"]]
KEEP = Lookup(repeated_words="keep")


def vectors(seed=4):
    random = np.random.default_rng(seed)
    words = [*FIRST, *SECOND, *POLES[0], *POLES[1]]
    return {word: random.normal(0, 1, 5).tolist() for word in words}


def weat(model, first, second, lookup=KEEP, metric=WEAT, poles=POLES):
    return metric().evaluate(model.look_up(Query([first, second], poles), lookup))


def p_value(outcome):
    how = Statistics(resamples=50, joint_draws=0), 2020, ("cell",), "greater"
    return quantify(outcome.resampling(), outcome.measures, *how)["effect_size"].p_value


def association(named, word):
    def cosine(one, other):
        return np.dot(one, other) / np.linalg.norm(one) / np.linalg.norm(other)

    near, far = ([cosine(named[word], named[pole]) for pole in poles] for poles in POLES)
    return np.mean(near) - np.mean(far)


def test_each_word_of_a_set_counts_in_the_score_as_often_as_it_is_listed(model_of):
    named = vectors()
    first = [*FIRST, "x0", "lost", "x0"]
    s = [[association(named, word) for word in words if word in named] for words in (first, SECOND)]
    expected = (np.mean(s[0]) - np.mean(s[1])) / np.std(s[0] + s[1], ddof=1)
    outcome = weat(model_of(**named), first, SECOND)
    assert outcome.measures["effect_size"] == pytest.approx(expected)
    assert [value.word for value in outcome.words] == [*FIRST, *SECOND]


def test_by_default_a_repeated_word_counts_once(model_of):
    once, twice = (
        weat(model_of(**vectors()), first, SECOND, Lookup()) for first in (FIRST, [*FIRST, "x0"])
    )
    assert once.measures == twice.measures


def test_only_whole_vectors_are_exchanged_whether_words_share_them_or_are_repeated(model_of):
    named = vectors()
    pruned = model_of(**named, twin=named["x1"])
    found = [
        p_value(weat(pruned, [*FIRST, *more], SECOND)) for more in (["x1", "x1"], ["twin", "x1"])
    ]
    values = np.array([association(named, word) for word in [*FIRST, *SECOND]])
    weight = np.array([1, 3, *[1] * 10])

    def difference(chosen):
        inside = np.isin(np.arange(12), chosen)
        return np.average(values[inside], weights=weight[inside]) - np.average(
            values[~inside], weights=weight[~inside]
        )

    every = [difference(chosen) for chosen in combinations(range(12), 6)]
    expected = np.mean(np.array(every) >= difference(range(6)) - 1e-12)
    assert found == pytest.approx([expected] * 2)


def test_a_twin_of_every_word_is_no_evidence(model_of):
    named = vectors()
    twins = {f"{word}_twin": vector for word, vector in named.items()}
    alone, doubled = (
        weat(model_of(**named, **twins), *sets)
        for sets in (
            (FIRST, SECOND),
            ([*FIRST, *(f"{w}_twin" for w in FIRST)], [*SECOND, *(f"{w}_twin" for w in SECOND)]),
        )
    )
    assert p_value(alone) == pytest.approx(p_value(doubled))
    assert doubled.resampling().sizes == (6, 6)
    assert doubled.resampling().note == (
        "24 target words have 12 vectors in this model: equal ones are exchanged, drawn and left "
        "out together"
    )


def test_a_vector_of_both_target_sets_stays_in_both(model_of):
    named = vectors()
    shared = weat(model_of(**named, twin=named["x0"]), FIRST, [*SECOND, "twin"]).resampling()
    free = dict(zip(shared.units, shared.free.tolist(), strict=True))
    assert not free["x0 = twin"]
    assert sum(free.values()) == 11


def test_words_of_their_own_vector_are_units_as_before(model_of):
    named = vectors()
    model = model_of(**named, other=named["a0"])
    assert not isinstance(weat(model, FIRST, SECOND).resampling(), GroupedStatistic)
    # A target and an attribute that are one word to the model are no repeated finding.
    mixed = weat(model, [*FIRST, "other"], SECOND).resampling()
    assert not isinstance(mixed, GroupedStatistic)


def test_repeated_attribute_words_are_drawn_together_by_every_metric(model_of):
    model = model_of(**vectors())
    poles = [["a0", "a1", "a0", "a2"], POLES[1]]
    assert [len(s) for s in weat(model, FIRST, SECOND, poles=poles).resampling().attributes] == [
        3,
        3,
    ]
    rnd = weat(model, FIRST, SECOND, metric=RND, poles=poles[:1]).resampling()
    assert [len(stratum) for stratum in rnd.attributes] == [3]
