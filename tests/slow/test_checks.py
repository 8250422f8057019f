"""How often each grade is given where the truth is known, and whether frequency is found.

`pytest tests/slow/test_checks.py -s` prints both tables; SIMULATIONS sets the worlds of each row.
"""

import os

import numpy as np
import pandas as pd
import pytest
from checked_worlds import CONCEPTS, flagged, frequency_world, luck, world

from fairflow.studies.validity.checks import GRADES, QUESTIONS, checks

SIMULATIONS = int(os.environ.get("SIMULATIONS", "200"))
# Name -> size of the planted directions, dimensions, the spectrum of trained vectors.
WORLDS = {
    "noise, 50 dimensions": (0.0, 50, False),
    "noise, 300 dimensions": (0.0, 300, False),
    "noise, spectrum of GloVe": (0.0, 50, True),
    "spectrum, weak directions": (0.05, 50, True),
    "spectrum, medium directions": (0.1, 50, True),
    "spectrum, strong directions": (0.3, 50, True),
}


@pytest.fixture(scope="module", params=WORLDS)
def given(request):
    """The name of a world, and the share of each grade by question (rows), of the whole study."""
    effect, dims, spectrum = WORLDS[request.param]
    found = pd.concat(
        checks(*world(effect, seed, dims, spectrum), CONCEPTS).assign(world=seed)
        for seed in range(SIMULATIONS)
    )
    whole = found[found["criterion"] == ""]
    # Of the ratings of several concepts the best: a model is valid for one or for none.
    order = whole["grade"].map({name: n for n, name in enumerate(GRADES)})
    best = order.groupby([whole["world"], whole["question"]]).min().unstack()
    shares = {q: best[q].value_counts(normalize=True).reindex(range(4)) for q in QUESTIONS}
    table = pd.DataFrame(shares).fillna(0.0).T.set_axis([*GRADES], axis=1)
    print(f"\n{request.param}, {SIMULATIONS} worlds\n{table.round(3)}")
    return request.param, table


def test_noise_is_good_or_middling_in_at_most_a_twentieth_of_worlds(given):
    name, table = given
    if not name.startswith("noise"):
        assert (table["unknown"] < 1).all()
        return
    above_poor = table["good"] + table["middling"]
    assert (above_poor <= 0.05 + luck(0.05, SIMULATIONS)).all()


def test_strong_directions_are_good(given):
    name, table = given
    if name.endswith("strong directions"):
        shares = table.drop(index="list")
        assert (shares["good"] > 0.9).all()


@pytest.mark.parametrize("size", [8, 16, 25])
@pytest.mark.parametrize("apart", [0, 1, 2])
def test_frequency_without_a_part_changes_a_score_in_at_most_a_twentieth_of_models(size, apart):
    told = np.array([
        flagged(frequency_world(0.0, apart, seed, size=size)) for seed in range(SIMULATIONS)
    ])  # fmt: skip
    changed, decided, clear = told.sum(axis=0)
    models = (told[:, 0] > 0).mean()
    print(
        f"\nno part, {size} words a set, {apart} sd apart: {changed / clear:.3f} of significant "
        f"scores change, {1 - decided / clear:.3f} undecided; {models:.3f} of models"
    )
    assert changed / clear <= 0.05
    assert models <= 0.05 + luck(0.05, SIMULATIONS)


@pytest.mark.parametrize("size", [8, 16, 25])
@pytest.mark.parametrize("part", [1.0, 2.0])
@pytest.mark.parametrize("apart", [1, 2])
def test_frequency_that_makes_a_score_is_found(size, part, apart):
    told = np.array([
        flagged(frequency_world(part, apart, seed, size=size, effect=0.0))
        for seed in range(SIMULATIONS // 4)
    ])  # fmt: skip
    changed, decided, clear = told.sum(axis=0)
    print(
        f"\npart {part}, {size} words a set, {apart} sd apart: {changed / clear:.3f} of "
        f"significant scores change, {1 - decided / clear:.3f} undecided"
    )
    assert changed > decided - changed
