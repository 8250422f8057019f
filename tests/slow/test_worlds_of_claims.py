"""How often claims on worlds with a known truth are false, and how much of the truth is found.

Prints the rows of workflow/report/worlds.csv, from which the page "How often are we wrong?" is
made. `PYTHONPATH=scripts:tests/unit/studies SIMULATIONS=200 python` with this file writes them.
"""

import os
from pathlib import Path

import pandas as pd
import pytest
from worlds import LIMITS, WORLDS, counted, judged_claims, too_often

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "workflow/report/worlds.csv"
SIMULATIONS = int(os.environ.get("SIMULATIONS", "100"))


def rows(world):
    claims = judged_claims(world, ROOT, range(SIMULATIONS))
    return [*counted(world.name, claims, SIMULATIONS)]


@pytest.mark.parametrize("world", [*WORLDS, *LIMITS], ids=lambda world: world.name)
def test_at_most_five_percent_of_claims_are_false(world):
    table = pd.DataFrame(rows(world))
    print(table.to_string())
    assert too_often(table).empty


if __name__ == "__main__":
    table = pd.DataFrame([row for world in (*WORLDS, *LIMITS) for row in rows(world)])
    table.to_csv(TABLE, index=False, float_format="%.4g", lineterminator="\n")
