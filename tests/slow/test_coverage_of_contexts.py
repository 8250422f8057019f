"""How often intervals of words in contexts hold the planted effect size, and claims are false.

Prints each world with the share of intervals that hold it, that of significant ones, and that by
the authors' formula (pytest -s).
"""

import os
from itertools import product

import numpy as np
import pandas as pd
import pytest
from pools import planted

from fairflow.nulls.ceat import authors_p, crossed_effect, effects_of_draws
from fairflow.nulls.ceat_claims import context_claims
from fairflow.studies.claims.claim import Results

SIMULATIONS = int(os.environ.get("SIMULATIONS", "1000"))
# As cosines vary.
SCALE = 0.05
SIZES, DRAWS, EFFECTS = ((4, 4), (8, 8), (25, 25), (4, 12)), (10, 100), (0, 0.5, 1)
SPREADS = {"words vary as contexts": {}, "contexts vary more": {"words": 0.3, "gaps": 0.1}}


def found(sizes, draws, effect, spreads):
    """The crossed effect, and whether the authors' p is below .05, of each simulation."""
    for n in range(SIMULATIONS):
        associated = SCALE * planted([n, draws, *sizes], sizes, draws, effect, **spreads)
        authors = authors_p(*effects_of_draws(associated, sizes[0]))[1] < 0.05
        yield crossed_effect(associated, sizes[0]), authors


@pytest.mark.parametrize(
    ("spreads", "sizes", "draws"), product(SPREADS, SIZES, DRAWS), ids=lambda one: str(one)
)
def test_intervals_hold_the_effect_and_tests_their_level(spreads, sizes, draws):
    error = 3 * np.sqrt(0.05 * 0.95 / SIMULATIONS)
    for effect in EFFECTS:
        ours, authors = zip(*found(sizes, draws, effect, SPREADS[spreads]), strict=True)
        held = np.mean([one.low <= effect <= one.high for one in ours])
        beyond = np.mean([one.p < 0.05 for one in ours])
        print(f"\n{spreads}, {sizes}, {draws} draws, d {effect}: ", end="")
        print(f"holds {held:.3f}, significant {beyond:.3f}, authors {np.mean(authors):.3f}")
        assert 0.93 <= held <= 0.97
        if not effect:
            assert beyond <= 0.05 + error
            assert np.mean(authors) > 0.08


@pytest.mark.parametrize(("effect", "least", "most"), [(0, 0, 0.05), (1.2, 0.7, 1)])
def test_claims_on_studies_of_words_with_a_known_effect(effect, least, most):
    said = []
    for ours, _ in found((12, 12), 12, effect, {}):
        row = {"model": "m", "query": "q", "contexts": 12, "authors_p": 0.5, "reason": ""}
        row |= {**ours._asdict(), "p_value": ours.p}
        results = Results({"ceat": pd.DataFrame([row])}, {}, sets={"q": ("XY", "AB")})
        said += [one.verdict == "significant" for one in context_claims(results)]
    print(f"\nd {effect}: significant {np.mean(said):.3f}")
    error = 3 * np.sqrt(0.05 * 0.95 / SIMULATIONS)
    assert least <= np.mean(said) <= most + (0 if effect else error)
