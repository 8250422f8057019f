"""Keys of strings are those of spaCy: MurmurHash64A with seed 1, or a number."""

import numpy as np
import pytest

from fairflow.vectors.spacy_file import hashes, keys_of


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
