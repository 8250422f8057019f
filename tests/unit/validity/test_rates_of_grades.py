"""How often each grade is given where the truth is known, and whether frequency is found.

Run with -s it prints the tables; SIMULATIONS sets the worlds of each row.
"""

import os

import numpy as np
import pandas as pd
import pytest
from checked_worlds import CONCEPTS, flagged, frequency_world, luck, world

from fairflow.studies.claims.grid import GRADES
from fairflow.validity.checks import QUESTIONS, checks

pytestmark = pytest.mark.slow
SIMULATIONS = int(os.environ.get("SIMULATIONS", "100"))
# Name -> size of the planted directions, dimensions, the spectrum of trained vectors.
WORLDS = {
    "noise, 50 dimensions": (0.0, 50, False),
    "noise, 300 dimensions": (0.0, 300, False),
    "noise, spectrum of GloVe": (0.0, 50, True),
    "spectrum, weak directions": (0.05, 50, True),
    "spectrum, medium directions": (0.1, 50, True),
    "spectrum, strong directions": (0.3, 50, True),
}


@pytest.mark.parametrize("name", WORLDS)
def test_noise_is_good_in_nothing_and_strong_directions_are(name):
    effect, dims, spectrum = WORLDS[name]
    worlds = (world(effect, seed, dims, spectrum) for seed in range(SIMULATIONS))
    found = pd.concat(checks(*one, CONCEPTS).assign(world=n) for n, one in enumerate(worlds))
    whole = found[found["criterion"] == ""]
    # Of the ratings of several concepts the best: a model is valid for one or for none.
    order = whole["grade"].map([*GRADES].index)
    best = order.groupby([whole["world"], whole["question"]]).min().unstack()
    shares = {q: best[q].value_counts(normalize=True).reindex(range(4)) for q in QUESTIONS}
    table = pd.DataFrame(shares).fillna(0.0).T.set_axis([*GRADES], axis=1)
    print(f"\n{name}, {SIMULATIONS} worlds\n{table.round(3)}")
    if effect == 0:
        above_poor = table["good"] + table["middling"]
        assert (above_poor <= 0.05 + luck(0.05, SIMULATIONS)).all()
    if effect == 0.3:
        assert (table.drop(index="list")["good"] > 0.9).all()


@pytest.mark.parametrize("size", [8, 16, 25])
@pytest.mark.parametrize("apart", [0, 1, 2])
@pytest.mark.parametrize("part", [0.0, 1.0, 2.0])
def test_frequency_changes_scores_where_it_plays_a_part_alone(size, apart, part):
    """Without a part the sets differ by 1.5 standard deviations, with one by frequency alone."""
    effect = 0.0 if part else 1.5
    worlds = (
        frequency_world(part, apart, seed, size=size, effect=effect) for seed in range(SIMULATIONS)
    )
    found = np.array([flagged(one) for one in worlds])
    changed, decided, clear = found.sum(axis=0)
    models = (found[:, 0] > 0).mean()
    print(
        f"\npart {part:g}, {size} words a set, {apart} sd apart: {changed / clear:.3f} of {clear} "
        f"significant scores change, {1 - decided / clear:.3f} undecided; in {models:.3f} of models"
    )
    if part == 0:
        assert changed / clear <= 0.05
        assert models <= 0.05 + luck(0.05, SIMULATIONS)
    elif apart:
        assert changed > decided - changed
