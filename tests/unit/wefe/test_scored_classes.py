"""`fairflow.score` with classes of the door for WEFE, next to those of the library."""

import re

import numpy as np
import pytest

import fairflow
from fairflow import WEAT, Query, wefe
from fairflow.errors import FairflowError

WORDS = [f"{letter}{n}" for letter in "abcd" for n in range(8)]
VECTORS = dict(zip(WORDS, np.random.default_rng(6).standard_normal((32, 5)), strict=True))
SETS = [WORDS[start : start + 8] for start in range(0, 32, 8)]
OWN = Query(SETS[:2], SETS[2:], ["A", "B"], ["C", "D"])


def scored(*metrics, **settings):
    return fairflow.score(VECTORS, OWN, metrics, statistics=False, **settings)


def test_it_and_its_figure_say_which_measure_a_class_has():
    found = scored(wefe.WEAT)
    (panel,) = found.plot("effect_sizes").axes
    assert re.split("  +", repr(found))[1] == panel.get_title(loc="left") == "WEAT effect size"


def test_two_metrics_of_one_name_are_not_taken_for_one():
    with pytest.raises(FairflowError, match="two metrics are called 'WEAT'"):
        scored(WEAT, wefe.WEAT)
    with pytest.raises(FairflowError, match="metrics of one name differ"):
        fairflow.plot(scored(WEAT), scored(wefe.WEAT, name="b"))


def test_a_value_of_one_random_split_says_so():
    assert "one random split" in repr(scored(wefe.RNSB))
    assert "split" not in repr(scored(fairflow.RNSB))
