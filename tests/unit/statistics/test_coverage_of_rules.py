"""The page on coverage shows what the rules give in simulations; `make test-slow` repeats all."""

from pathlib import Path

import pandas as pd
import pytest
from building.coverage import ADDRESS, RULES, TABLE, coverage_pages, page
from coverage_of_rules import WORLDS, counted

ROOT = Path(__file__).parents[3]
KNOWN = pd.read_csv(ROOT / TABLE)
KEY = ["rule", "world", "n"]
ROW = {"rule": "exact", "world": "alpha", "n": 8, "simulations": 2000, "coverage": 0.9}
ROW |= {"coverage_low": 0.88, "coverage_high": 0.92, "mean_width": 0.123}


def test_the_page_says_where_intervals_hold_less_or_more_often_than_they_say():
    wide = ROW | {"world": "beta", "coverage": 0.99, "coverage_low": 0.98, "coverage_high": 1}
    text = page(pd.DataFrame([ROW, wide]))
    assert "| alpha | 8 | 2000 | 90.0% (88.0% to 92.0%) | 0.12 |" in text
    assert "Less often than in 95 %: alpha (8).\n" in text
    assert "More often, so wider than need be: beta (8).\n" in text


def test_the_page_shows_every_world_and_rule_of_the_committed_table():
    assert KNOWN[KEY].to_records(index=False).tolist() == [world[:3] for world in WORLDS]
    assert {*KNOWN["rule"]} == {*RULES}
    assert coverage_pages(ROOT)[ADDRESS] == page(KNOWN)


@pytest.mark.parametrize("name", ["alpha of 8 parts, normal", "log odds of independent counts"])
def test_the_simulation_gives_the_committed_row(name):
    world = next(one for one in WORLDS if one.name == name)
    row = KNOWN[KNOWN["world"] == name].iloc[0].drop(KEY).to_dict()
    found = counted(world, 2_000)
    assert {column: found[column] for column in row} == pytest.approx(row, rel=1e-3)
