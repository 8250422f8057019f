"""Names that are nearly those of the configuration."""

import pytest

from fairflow.command.project import meant
from fairflow.errors import FairflowError

NAMES = ["weat_5", "weat_5_16", "weat_6", "gender_1", "wefe-1.0", "glove.6B.50d", "glove-6B-50d"]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("weat_6", "weat_6"),
        ("weat:6", "weat_6"),
        ("WEAT-6", "weat_6"),
        ("weat:5", "weat_5"),
        ("wefe 1.0", "wefe-1.0"),
        # To the letter before any likeness.
        ("glove.6B.50d", "glove.6B.50d"),
    ],
)
def test_signs_and_case_do_not_matter(given, name):
    assert meant("query", given, NAMES) == name


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("weat_16", "Did you mean 'weat_"),
        ("gender", "gender_1"),
        ("glove_6b_50d", "Did you mean glove.6B.50d or glove-6B-50d?"),
        ("religion", "Valid: gender_1, "),
    ],
)
def test_what_is_none_of_them_or_several_is_told_with_near_ones(given, hint):
    with pytest.raises(FairflowError) as error:
        meant("query", given, NAMES)
    assert f"there is no query {given!r}" in str(error.value)
    assert hint in str(error.value)
