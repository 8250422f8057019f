"""Drawing a token: from the most probable ones alone, by a number that stands for it."""

import numpy as np
import pytest

from fairflow.language_models.items.text_items import Decoding

LOGITS = np.log([0.1, 0.4, 0.1, 0.3, 0.1])


@pytest.mark.parametrize(
    ("top_k", "expected"),
    [
        (0, [0, 1, 1, 1, 1, 2, 3, 3, 3, 4]),
        (1, [1] * 10),
        (2, [1, 1, 1, 1, 1, 1, 3, 3, 3, 3]),
        # Of equally probable tokens the first ones stay.
        (3, [0, 1, 1, 1, 1, 1, 3, 3, 3, 3]),
        (5, [0, 1, 1, 1, 1, 2, 3, 3, 3, 4]),
        (9, [0, 1, 1, 1, 1, 2, 3, 3, 3, 4]),
    ],
)
def test_shares_of_numbers_are_probabilities_of_the_most_probable_tokens(top_k, expected):
    decoding = Decoding("sample", top_k=top_k)
    assert [decoding.draw(LOGITS, u) for u in np.arange(0.05, 1, 0.1)] == expected
