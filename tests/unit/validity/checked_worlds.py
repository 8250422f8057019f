"""Models whose words follow ratings and sets as far as is planted, and what is checked of them."""

import math

import numpy as np
import pandas as pd

from fairflow import Query, WordEmbeddingModel
from fairflow.metrics.weat import WEATStatistic, contrast
from fairflow.queries.lookup import Lookup
from fairflow.scores.ranked import PRIMARY
from fairflow.statistics.permutation import exchange_p
from fairflow.statistics.rank_tests import benjamini_hochberg
from fairflow.validity.base_pairs import pair_swap
from fairflow.validity.consistency import reliability
from fairflow.validity.evidence import (
    BasePairs,
    Concept,
    Evidence,
    ModelWords,
    Norm,
    metric_choice,
)
from fairflow.validity.frequency import frequency
from fairflow.validity.seed_sets import seed_swap
from fairflow.validity.yardsticks import yardsticks
from fairflow.vectors.directions import unit

SIZE, PUBLISHED, QUERIES = 8, 5, 3
# Words of the norms of each concept: six norms, as in config/validity.yaml.
NORMS = {"gender": (400, 44, 50, 59), "race": (59,), "class": (59,)}
CONCEPTS = {"gender": "Gender", "race": "Race", "class": "Class"}


def world(
    effect: float, seed: int, dims: int = 50, spectrum: bool = False, model: str = "m"
) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """Tables of validity and scores of a model in which a direction of each concept has this size.

    Words of a norm have it in proportion to the norm, those of published pairs of sets and of the
    attributes of each query on one side or the other; 0 is noise. With `spectrum` dimensions have
    the unequal spread of trained vectors, and all words have a part in common.
    """
    random = np.random.default_rng(seed)
    spread = np.arange(1, dims + 1) ** -0.5 if spectrum else np.ones(dims)
    common = spectrum * random.normal(size=dims)
    vectors, known, sets, concepts, queries = {}, {}, {}, {}, {}

    def add(name: str, places: np.ndarray, axis: int) -> list[str]:
        """Words at these places of an axis, with a frequency each."""
        words = [f"{name} {n}" for n in range(len(places))]
        drawn = (common + random.normal(size=(len(words), dims))) * spread
        drawn[:, -1 - axis] += effect * np.linalg.norm(spread) * places
        vectors.update(zip(words, drawn, strict=True))
        known.update(zip(words, random.normal(size=len(words)), strict=True))
        return words

    for axis, (concept, sizes) in enumerate(NORMS.items()):
        poles = {}
        for n in range(PUBLISHED + 1):
            poles[f"s{n}"] = f"{concept}{n}:first", f"{concept}{n}:second"
            for name, side in zip(poles[f"s{n}"], (1.0, -1.0), strict=True):
                sets[name] = add(name, np.full(SIZE, side), axis)
        norms = []
        for n, size in enumerate(sizes):
            values, name = random.normal(size=size), f"{concept} norm {n}"
            sets[name] = add(name, values, axis)
            rated = dict(zip(sets[name], values, strict=True))
            norms.append(Norm(name, name, rated, name, *poles["s0"]))
        pairs = BasePairs("b", "pairs", *poles["s0"], f"{concept} norm 0")
        concepts[concept] = Concept(
            concept, CONCEPTS[concept], ("first", "second"), poles, tuple(norms), (pairs,)
        )
        for n in range(QUERIES):
            sides = [add(f"{concept} q{n}{s}", np.full(SIZE, s), axis) for s in (1.0, -1.0)]
            own = [sets[pole] for pole in poles["s0"]]
            queries[f"{concept} {n}"] = Query(own, sides, ["A", "B"], ["C", "D"])
    store = WordEmbeddingModel(vectors)
    found = Evidence(
        concepts,
        {model: ModelWords(store.look_up(Query([*sets.values()], [], [*sets], []), Lookup()))},
        {(model, name): store.look_up(query, Lookup()) for name, query in queries.items()},
        {name: CONCEPTS[name.split()[0]] for name in queries},
        {name: (concepts[name.split()[0]].sets["s0"], ("c", "d")) for name in queries},
        {"es": metric_choice("es", "weat", measure="effect_size")},
        known,
    )
    scores = tested(found)
    tables = {f.__name__: f(found) for f in (yardsticks, reliability, seed_swap, pair_swap)}
    return tables | {"frequency": frequency(found, scores)}, scores


def tested(evidence: Evidence) -> pd.DataFrame:
    """A row of scores for each query, with the p-value of WEAT's test."""
    rows = []
    for (model, query), found in evidence.slices.items():
        targets, attributes = found.word_vectors()
        direction = contrast(*(one.vectors for one in attributes))
        p = exchange_p(*(unit(one.vectors) @ direction for one in targets))
        rows.append({"model": model, "query": query, "p_value": p, "alternative": "two-sided"})
    table = pd.DataFrame(rows).assign(**{PRIMARY: True}, p_statistic=WEATStatistic.tested)
    return table.assign(p_bh=benjamini_hochberg(table["p_value"].to_numpy()))


def frequency_world(
    part: float, apart: float, seed: int, tests: int = 10, size: int = 12, effect: float = 1.5
) -> pd.DataFrame:
    """The table `frequency` of tests on exact associations of words.

    Parameters
    ----------
    part : of log frequency in the association of a word, whose rest has a standard deviation of 1.
    apart : how far the sets differ in log frequency, in standard deviations. effect : in
        association.
    """
    random = np.random.default_rng(seed)
    slices, known = {}, {}
    for n in range(tests):
        words = [[f"{side}{n} {i}" for i in range(size)] for side in "xy"]
        log = random.normal(size=2 * size) + np.repeat([apart, 0], size)
        places = effect * np.repeat([1, 0], size) + part * log + random.normal(size=2 * size)
        places = 0.05 * (places - places.mean())
        # The cosine with "near" minus that with "far" is exactly the place.
        drawn = np.column_stack([places, 0 * places, np.sqrt(1 - places**2)])
        names = words[0] + words[1]
        known |= dict(zip(names, log, strict=True))
        vectors = dict(zip(names, drawn, strict=True)) | {"near": [1.0, 0, 0], "far": [0, 1.0, 0]}
        query = Query(words, [["near"], ["far"]], ["X", "Y"], ["Near", "Far"])
        slices["m", f"q{n}"] = WordEmbeddingModel(vectors).look_up(query, Lookup())
    return frequency(Evidence({}, {}, slices, {}, {}, frequency=known), pd.DataFrame())


def flagged(table: pd.DataFrame) -> tuple[int, int, int]:
    """How many significant scores change, how many are decided, and how many there are."""
    clear = table[table["p_value"] < 0.05]
    return int(clear["changes"].eq(True).sum()), int(clear["changes"].notna().sum()), len(clear)


def luck(rate: float, n: int) -> float:
    """What a share of n simulations may be off by: three standard errors."""
    return 3 * math.sqrt(rate * (1 - rate) / n)
