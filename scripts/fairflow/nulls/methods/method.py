"""What a method is tried in: worlds of a known truth, and what it and fairflow find there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest

from fairflow.statistics.rank_tests import ALPHA
from fairflow.statistics.seeds import identity_generator

# What is counted: findings where nothing is, differences without a test there, planted effects that
# are denied, second runs that reverse the first; or a single value is compared with the right one.
FALSE, BARE, DENIED, REVERSED, VALUE = "false", "no test", "denied", "reversed", "value"
# The most that may be false, or is missed by a test that has usual power.
MOST = {FALSE: ALPHA, BARE: ALPHA, REVERSED: ALPHA, DENIED: 0.2}
WORLDS = 400
LEVEL = 0.95


@dataclass(frozen=True)
class Tried:
    """A method in worlds of one kind.

    Attributes
    ----------
    world : makes one. theirs, ours : whether the method, and fairflow, say something false of it;
        of a `VALUE` the value. worlds : how many are made. right : the right value.
    """

    world: Callable[[np.random.Generator], Any]
    theirs: Callable[[Any], float]
    ours: Callable[[Any], float]
    counts: str = FALSE
    worlds: int = WORLDS
    right: float = 0.0


def tried(name: str, worlds: Mapping[str, Tried], seed: int) -> Iterator[dict[str, Any]]:
    """A row for each kind of worlds.

    Columns: method, where (the name of the worlds), counts, worlds (their number); theirs and ours,
    shares of the worlds or values, with `_low` and `_high`, Clopper and Pearson's interval;
    at_most (the most that may be false) or, of values, the right one.
    """
    for where, own in worlds.items():
        random = identity_generator(seed, "methods", name, where)
        made = [own.world(random) for _ in range(own.worlds)]
        row: dict[str, Any] = {"method": name, "where": where, "counts": own.counts}
        row |= {"worlds": own.worlds, "at_most": MOST.get(own.counts, own.right)}
        for who, says in (("theirs", own.theirs), ("ours", own.ours)):
            said = [float(says(world)) for world in made]
            row |= _value(who, said) if own.counts == VALUE else _share(who, said)
        yield row


def _value(who: str, said: list[float]) -> dict[str, float]:
    return {who: float(np.mean(said)), f"{who}_low": np.nan, f"{who}_high": np.nan}


def _share(who: str, said: list[float]) -> dict[str, float]:
    ends = binomtest(int(sum(said)), len(said)).proportion_ci(LEVEL)
    return {who: float(np.mean(said)), f"{who}_low": ends.low, f"{who}_high": ends.high}
