"""Keys of strings are those of spaCy: MurmurHash64A with seed 1, or a number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.vectors.spacy_file import NUMBERED, hashes, keys_of

BITS = (1 << 64) - 1
MULTIPLIER = 0xC6A4A7935BD1E995


@pytest.mark.parametrize(
    ("string", "key"),
    [
        # As spaCy's documentation prints them.
        ("coffee", 3197928453018144401),
        ("apple", 8566208034543834098),
        # Of token.pos and token.dep.
        ("NOUN", 92),
        ("PROPN", 96),
        ("VERB", 100),
        ("ORG", 383),
        ("det", 415),
        ("nsubj", 429),
        ("punct", 445),
    ],
)
def test_keys_are_those_that_spacy_documents(string, key):
    assert keys_of([string]).tolist() == [key]


def test_the_hash_passes_the_verification_of_smhasher():
    """Of texts of 0 to 255 bytes; its README gives the number for MurmurHash64A."""
    letters = bytes(range(256))
    each = [hashes([letters[:size]], seed=256 - size)[0] for size in range(256)]
    (last,) = hashes([np.array(each, dtype="<u8").tobytes()], seed=0)
    assert int(last) & 0xFFFFFFFF == 0x1F0D3804


def plain_hash(data):
    """One text at a time, in integers of Python."""
    result = 1 ^ len(data) * MULTIPLIER & BITS
    whole = len(data) - len(data) % 8
    for start in range(0, whole, 8):
        mixed = int.from_bytes(data[start : start + 8], "little") * MULTIPLIER & BITS
        mixed = (mixed ^ mixed >> 47) * MULTIPLIER & BITS
        result = (result ^ mixed) * MULTIPLIER & BITS
    if data[whole:]:
        result = (result ^ int.from_bytes(data[whole:], "little")) * MULTIPLIER & BITS
    result = (result ^ result >> 47) * MULTIPLIER & BITS
    return result ^ result >> 47


@given(st.lists(st.text()))
def test_many_strings_at_once_have_the_keys_that_each_has_alone(strings):
    expected = [NUMBERED.get(string, plain_hash(string.encode())) for string in strings]
    assert keys_of(strings).tolist() == expected


def test_half_of_a_character_has_no_key():
    with pytest.raises(UnicodeEncodeError):
        keys_of(["\ud83d"])
