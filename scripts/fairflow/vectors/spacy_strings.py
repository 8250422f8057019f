"""The 64-bit keys by which spaCy knows strings: a hash of their bytes, or a number of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SEED = 1
_MULTIPLIER = np.uint64(0xC6A4A7935BD1E995)
_SHIFT = np.uint64(47)
_BITS = (1 << 64) - 1

# Names that spaCy 3 numbers instead of hashing them, words such as aux, agent or TIME among them.
# The others that it numbers, such as IS_ALPHA or Case_abl, are no words of any text.
_NAMES = {
    64: "ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE "
    "HEAD SENT_START SPACY PROB LANG ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN "
    "PUNCT SCONJ SYM VERB X EOL SPACE",
    380: "PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME "
    "PERCENT MONEY QUANTITY ORDINAL CARDINAL acomp advcl advmod agent amod appos attr aux auxpass "
    "cc ccomp complm conj cop csubj csubjpass dep det dobj expl hmod hyph infmod intj iobj mark "
    "meta neg nmod nn npadvmod nsubj nsubjpass num number oprd obj obl parataxis partmod pcomp "
    "pobj poss possessive preconj prep prt punct quantmod relcl rcmod root xcomp acl ENT_KB_ID "
    "MORPH ENT_ID IDX _",
}
NUMBERED: dict[str, int] = {
    name: number
    for first, names in _NAMES.items()
    for number, name in enumerate(names.split(), first)
}


def keys_of(strings: Sequence[str]) -> np.ndarray:
    """The key of each string: (strings,), uint64.

    Raises
    ------
    UnicodeEncodeError : half a character, of which spaCy has no key.
    """
    keys = hashes([string.encode() for string in strings])
    for place, string in enumerate(strings):
        if string in NUMBERED:
            keys[place] = NUMBERED[string]
    return keys


def hashes(texts: Sequence[bytes], seed: int = SEED) -> np.ndarray:
    """MurmurHash64A (Appleby 2008) of each text: (texts,), uint64."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    result = np.empty(len(texts), dtype=np.uint64)
    for length in np.unique(lengths).tolist():
        places = np.flatnonzero(lengths == length)
        data = b"".join([texts[place] for place in places.tolist()])
        letters = np.frombuffer(data, dtype=np.uint8).reshape(len(places), length)
        result[places] = _hashes(letters, seed)
    return result


def _hashes(letters: np.ndarray, seed: int) -> np.ndarray:
    """Of texts of one length, one to a row of bytes."""
    count, length = letters.shape
    whole = length // 8
    padded = np.zeros((count, 8 * (whole + 1)), dtype=np.uint8)
    padded[:, :length] = letters
    blocks = padded.view("<u8").astype(np.uint64)
    start = seed ^ (length * int(_MULTIPLIER) & _BITS)
    result = np.full(count, start, dtype=np.uint64)
    for block in blocks.T[:whole]:
        mixed = block * _MULTIPLIER
        mixed ^= mixed >> _SHIFT
        mixed *= _MULTIPLIER
        result ^= mixed
        result *= _MULTIPLIER
    if length % 8:
        result ^= blocks[:, whole]
        result *= _MULTIPLIER
    result ^= result >> _SHIFT
    result *= _MULTIPLIER
    result ^= result >> _SHIFT
    return result
