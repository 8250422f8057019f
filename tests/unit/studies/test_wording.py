"""Reasons in sentences."""

import math

from fairflow.studies.wording import allowed_loss, shortened


def test_long_lists_of_words_are_left_to_the_studys_own_table():
    words = ", ".join("abcdefg")
    reason = f"Names (5) lost 7 of 9 words ({words}), more than the allowed share of 0.2"
    assert shortened(reason) == "Names (5) lost 7 of 9 words"
    several = "words of several target sets: a, b, c, d, e, f, g"
    assert shortened(several) == "words of several target sets: a, b, c, d, e and 2 more"
    assert shortened("no word of: a, b, c, d, e") == "no word of: a, b, c, d, e"
    assert allowed_loss(["other", None, math.nan]) == ""
