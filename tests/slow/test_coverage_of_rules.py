"""How often the intervals of each rule hold a known truth: the rows of the page on coverage.

`PYTHONPATH=scripts:tests/unit/statistics SIMULATIONS=2000 python` with this file writes
workflow/report/coverage.csv.
"""

import math
import os
from pathlib import Path

import pandas as pd
import pytest
from coverage_of_rules import WORLDS, counted

TABLE = Path(__file__).parents[2] / "workflow/report/coverage.csv"
SIMULATIONS = int(os.environ.get("SIMULATIONS", "200"))


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"{world.name}, {world.n}")
def test_the_share_on_the_page_is_found_again(world):
    table = pd.read_csv(TABLE).set_index(["rule", "world", "n"])
    known, row = table.loc[world[:3]], counted(world, SIMULATIONS)
    print(row)
    share = known["coverage"]
    # What so few simulations may be off by: three standard errors.
    assert abs(row["coverage"] - share) <= 3 * math.sqrt(share * (1 - share) / SIMULATIONS)


if __name__ == "__main__":
    table = pd.DataFrame([counted(world, SIMULATIONS) for world in WORLDS])
    table.to_csv(TABLE, index=False, float_format="%.4g", lineterminator="\n")
