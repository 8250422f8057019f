"""Corpora with a known log odds ratio of co-occurrence.

A document has passages of 40 words, and each passage has one of five themes: women and family, men
and family, women and career, men and career, or neither. Documents differ in how much of each theme
they hold, so that co-occurrences of a document depend on each other, as those of speeches do: the
interval of a bootstrap over documents is 1.2 to 1.8 times as wide as that of independent ones.
"""

import csv
import math
from functools import cache
from itertools import pairwise, repeat
from statistics import NormalDist

import numpy as np
from scipy.optimize import brentq

WINDOW = 10
SETS = {
    "women": ["she", "her", "woman", "mother"],
    "men": ["he", "his", "man", "father"],
    "family": ["home", "family", "children", "wedding"],
    "career": ["office", "business", "salary", "career"],
}
_LETTERS = "abcdefghijklmnopqrst"
OTHER_WORDS = [f"word{one}{two}" for one in _LETTERS for two in _LETTERS]
WORDS = [*(word for words in SETS.values() for word in words), *OTHER_WORDS]
PASSAGE = 40
# Of the lognormal distribution of the number of passages.
SPREAD = 0.7
THEMES = np.array([0.04, 0.04, 0.04, 0.04, 0.84])
# The smaller, the more documents differ in their themes.
CONCENTRATION = 10
# Of words of either target set for one of the attribute sets, as a factor of e.
PREFERENCE = 0.7
# Words of each set among 1,000 in each theme. In 50 documents of 8,000 tokens there are about 350
# co-occurrences where the log odds ratio is 1.
RATES = {
    "women": [9.7, 0.97, 9.7, 0.97, 0.97],
    "men": [2.9, 29, 2.9, 29, 2.9],
    "family": [9.7, 9.7, 0.97, 0.97, 0.97],
    "career": [0.97, 0.97, 9.7, 9.7, 0.97],
}


def log_odds_ratio(counts):
    """Of the last axis or two: women with family and career, men with family and career."""
    a, b, c, d = np.moveaxis(np.reshape(counts, (*np.shape(counts)[:-2], 4)), -1, 0)
    return np.log(a * d / (b * c))


def n_passages(random, documents, tokens):
    centre = math.log(tokens / PASSAGE) - SPREAD**2 / 2
    return np.maximum(1, np.rint(random.lognormal(centre, SPREAD, documents))).astype(int)


def expected_counts(rates, tokens):
    """(2, 2) co-occurrences in a document, on average.

    Two words in one passage share its theme. The themes of two passages of a document are
    independent given its mix: E[mix_i mix_j] is (c p_i p_j + [i = j] p_i) / (c + 1), with the mean
    p and the concentration c of the Dirichlet distribution.
    """
    targets, attributes = rates[:2], rates[2:]
    mixes = CONCENTRATION * np.outer(THEMES, THEMES) + np.diag(THEMES)
    one = targets @ np.diag(THEMES) @ attributes.T
    two = targets @ mixes @ attributes.T / (CONCENTRATION + 1)
    lags = np.arange(1, WINDOW + 1)
    passages = _mean_passages(tokens)
    return 2 * (passages * (PASSAGE - lags).sum() * one + (passages - 1) * lags.sum() * two)


@cache
def _mean_passages(tokens):
    grid = (np.arange(10_000) + 0.5) / 10_000
    quantiles = NormalDist(math.log(tokens / PASSAGE) - SPREAD**2 / 2, SPREAD)
    lengths = np.exp([quantiles.inv_cdf(q) for q in grid])
    return np.maximum(1, np.rint(lengths)).mean()


@cache
def planted_rates(log_odds, tokens=8_000, frequency=1.0):
    """(4, 5) probability of each set in each theme, with that log odds ratio in the population.

    Female words become more frequent among family, and less so among careers, by one factor.
    """

    def rates(tilt):
        found = np.array([*RATES.values()]) * frequency / 1_000
        found[0, [0, 2]] *= np.exp([tilt / 2, -tilt / 2])
        return found

    def missing(tilt):
        return log_odds_ratio(expected_counts(rates(tilt), tokens)) - log_odds

    return rates(brentq(missing, -9, 9))


def draw_documents(random, rates, documents=50, tokens=8_000, of_author=1):
    """Word numbers of all documents, one after the other, and where each begins and ends.

    of_author : how many documents, one after the other, have their mix of themes in common.
    """
    passages = n_passages(random, documents, tokens)
    document = np.repeat(np.arange(documents), passages)
    mixes = np.cumsum(random.dirichlet(CONCENTRATION * THEMES, -(-documents // of_author)), axis=1)
    mixes = np.repeat(mixes, of_author, axis=0)
    theme = (random.random(len(document))[:, None] > mixes[document, :-1]).sum(axis=1)
    # The most frequent of the other words is twice as frequent as the second, and so on.
    ranks = np.cumsum(1 / np.arange(1, len(OTHER_WORDS) + 1))
    uniform = random.random((len(document), PASSAGE))
    numbers = len(WORDS) - len(OTHER_WORDS) + np.searchsorted(ranks / ranks[-1], uniform)
    limits = np.cumsum(rates, axis=0)
    uniform = random.random(uniform.shape)
    of_sets = uniform < limits[-1, theme, None]
    at = np.repeat(theme, PASSAGE).reshape(uniform.shape)[of_sets]
    which = (uniform[of_sets][:, None] >= limits[:-1, at].T).sum(axis=1)
    size = len(SETS["women"])
    likely = np.cumsum(_words_of_targets(size)[np.where(which < 2, at, -1)], axis=1)
    words = (random.random(len(which))[:, None] > likely[:, :-1]).sum(axis=1)
    numbers[of_sets] = size * which + words
    return numbers.ravel(), PASSAGE * np.concatenate(([0], np.cumsum(passages)))


def shuffled_texts(seed, share):
    """Documents whose words are dealt anew, without a share of their words for women and family.

    Rare words alone have associations in vectors, those of the later decades others.
    """
    random, size = np.random.default_rng(seed), len(SETS["women"])
    numbers, bounds = draw_documents(random, planted_rates(0.6, 2_000, 4), 30, 2_000)
    rare = np.isin(numbers // size, (0, 2)) & (random.random(len(numbers)) < share)
    return random.permutation(np.where(rare, len(WORDS) - 1, numbers)), bounds


def _words_of_targets(size):
    """(themes, size) how likely each word of a target set is: some are words of the family.

    Where all words of a set are alike, their effect size is at one of its limits.
    """
    preference = np.outer([1, 1, -1, -1, 0], np.linspace(-PREFERENCE, PREFERENCE, size))
    return np.exp(preference) / np.exp(preference).sum(axis=1, keepdims=True)


def texts_of(numbers, bounds):
    """The text of each document."""
    words = np.array(WORDS, dtype=object)[numbers]
    return [" ".join(words[a:b]) for a, b in pairwise(bounds)]


def write_table(path, rows, of_author=1):
    """A CSV file with the columns text, part and author, of part -> texts."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["text", "part", "author"])
        for part, texts in rows.items():
            authors = (f"{part}, {number // of_author}" for number in range(len(texts)))
            table.writerows(zip(texts, repeat(part), authors))
