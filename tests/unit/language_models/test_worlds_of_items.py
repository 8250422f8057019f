"""What is said of scores of items whose truth is known."""

from pathlib import Path

import numpy as np
import pytest
import worlds

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("clusters", "verdict"), [(5, "open"), (21, "above")])
def test_few_clusters_of_items_show_nothing(clusters, verdict):
    claims = worlds.items(clusters, 2)(worlds.pair_of_queries(), np.random.default_rng(1)).claims
    assert [one.verdict for one in claims if one.kind == "items" and one.subject] == [verdict]


@pytest.mark.parametrize(("sign", "counts"), [(1, (0, 2, 1)), (0, (1, 0, None)), (-1, (1, 2, 0))])
def test_false_claims_and_missed_ones_are_counted(sign, counts):
    def make(*how):
        return worlds.items(21, 2)(*how)._replace(sign=sign)

    claims = worlds.judged_claims(worlds.World("Items", make, worlds.TWO), ROOT, range(2))
    (row,) = worlds.counted("Items", claims, 2)
    found = None if np.isnan(row["found"]) else row["found"]
    assert (row["false_claims"], row["to_find"], found) == counts
