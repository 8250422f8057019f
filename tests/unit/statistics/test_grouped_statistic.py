"""Units that come in groups: sentences of one word are one finding, not four."""

import numpy as np
import pytest

from fairflow.metrics.ripa import RIPA
from fairflow.metrics.rnd import RND
from fairflow.metrics.weat import WEAT, WEATStatistic
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.grouped_statistic import grouped, statistic_of_units
from fairflow.statistics.permutation import permutation_test
from fairflow.statistics.uncertainty import Statistics, quantify

from .word_sets import stratum, words

TEMPLATES = 4


def names(prefix, words):
    return tuple(f"{prefix}{i} in {j}" for i in range(words) for j in range(TEMPLATES))


def word(text):
    return text.split(" in ")[0]


def template(text):
    return text.split(" in ")[1]


def statistics(values, words):
    """WEAT by sentence and by word, of sentences with these associations."""
    base = WEATStatistic(
        targets=[stratum(*names(name, words)) for name in "xy"],
        attributes=[stratum(*names(name, 1)) for name in "ab"],
        tables=[
            values[:, np.newaxis] * np.ones(TEMPLATES),
            np.zeros((len(values), TEMPLATES)),
        ],
        ddof={"effect_size": 1},
    )
    texts = [text for s in (*base.targets, *base.attributes) for text in s.words]
    group = {text: word(text) for text in texts}
    levels = {text: template(text) for text in texts if text[0] in "xy"}
    return base, grouped(base, group, [levels])


def clustered(random, words, noise=0.3):
    """No difference between two sets; sentences of a word lie close together."""
    own = np.repeat(random.normal(0, 1, 2 * words), TEMPLATES)
    return own + random.normal(0, noise, len(own))


def p_value(statistic, alternative="greater"):
    return permutation_test(statistic, np.random.default_rng(0), alternative).p_value


def test_words_are_exchanged_with_all_their_sentences():
    values = np.array([5.0, 7, 6, 6, 1, 3, 2, 2, 0, 0, 1, 3, 4, 4, 4, 4])
    base, statistic = statistics(values, 2)
    # The words' means are 6 and 2 against 1 and 4: of 6 exchanges {6, 4} and {6, 2} reach the sum.
    assert statistic.contributions == pytest.approx([6, 2, 1, 4])
    assert p_value(statistic) == pytest.approx(2 / 6)
    assert p_value(base) != pytest.approx(2 / 6)
    assert statistic.units == ("x0", "x1", "y0", "y1")


def test_by_word_p_is_uniform_under_the_null_and_by_sentence_it_is_not():
    random = np.random.default_rng(2)
    drawn = [statistics(clustered(random, 4), 4) for _ in range(300)]
    by_word = np.array([p_value(statistic) for _, statistic in drawn])
    # Two sets of 4 words have 70 exchanges: p is k / 70, each k as likely as any other.
    levels = np.arange(7, 71, 7) / 70
    shares = (by_word[:, np.newaxis] <= levels + 1e-9).mean(axis=0)
    # Three standard errors of a share among 300.
    assert np.abs(shares - levels).max() < 0.087
    by_sentence = np.array([p_value(base) for base, _ in drawn[:60]])
    assert (by_sentence <= 0.05).mean() > 0.12


def test_a_word_is_drawn_and_left_out_with_all_its_sentences():
    base, statistic = statistics(clustered(np.random.default_rng(3), 12, noise=0.01), 12)
    wide = {n: np.std(v) for n, v in resample(statistic, 500, 1).draws.items()}
    narrow = {n: np.std(v) for n, v in resample(base, 500, 1).draws.items()}
    # Four equal sentences hold as much as one: their standard error is twice what they pretend.
    for name, width in wide.items():
        assert width / narrow[name] == pytest.approx(2, rel=0.15)
    assert len(resample(statistic, 10, 1).left_out["weat"][0]) == 12


def test_intervals_are_over_words_over_templates_and_over_both():
    random = np.random.default_rng(4)
    of_templates = np.tile(random.normal(0, 1, TEMPLATES), 24) * np.repeat([1, 0], 12 * TEMPLATES)
    _, statistic = statistics(clustered(random, 12) + of_templates, 12)
    values = {n: float(v[0]) for n, v in statistic.measures(statistic.observed).items()}
    found = quantify(statistic, values, Statistics(resamples=1_000), 1, ("m",))["weat"]
    alone = found.ci_high - found.ci_low
    both = found.ci_high_both - found.ci_low_both
    over_templates = found.ci_high_factors - found.ci_low_factors
    assert over_templates > 0
    assert max(alone, over_templates) < both


@pytest.mark.parametrize("metric", [WEAT(), RND(), RIPA()])
def test_every_metric_of_vectors_takes_words_for_units(metric):
    random = np.random.default_rng(5)
    sets = [words(n, random.normal(size=(12, 5)), names(n, 3)) for n in "xyab"]
    attributes = sets[2:] if isinstance(metric, WEAT) else sets[2:3]
    outcome = metric.compute(sets[:2], attributes)
    units = {text: [word(text), "kind", template(text)] for n in "xyab" for text in names(n, 3)}
    statistic = statistic_of_units(outcome.resampling(), units)
    assert statistic.n_units == (3 if isinstance(metric, RIPA) else 6)
    assert len(statistic.factors[0].stratum) == TEMPLATES
    for name, value in statistic.measures(statistic.observed).items():
        assert value == pytest.approx(outcome.measures[name])
    found = quantify(
        statistic, outcome.measures, Statistics(resamples=100, joint_draws=10), 1, ("m",)
    )
    assert all(one.ci_low_both < one.ci_high_both for one in found.values())
