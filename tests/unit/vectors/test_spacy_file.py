"""A spaCy pipeline's words and vectors are read as data, without spaCy."""

import json
import logging
import zipfile
from functools import partial

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stores import converted

from fairflow.errors import VectorFormatError
from fairflow.vectors.spacy_file import _key2row, hashes, keys_of

ROWS = np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float32)
# "aux" has a number of spaCy's instead of a hash, and is not in strings.json.
WORD_ROWS = {"reine": 2, "aux": 0, "Reine": 2, "été": 1}
STRINGS = sorted({*WORD_ROWS, "Xxxx"} - {"aux"})


def key2row(word_rows):
    keys = keys_of([*word_rows]).tolist()
    return msgpack.packb(dict(zip(keys, word_rows.values(), strict=True)))


@pytest.fixture
def vocab(tmp_path):
    """The folder vocab of a pipeline, as spaCy 3.8 writes it."""
    folder = tmp_path / "fr_mini-3.8.0" / "vocab"
    folder.mkdir(parents=True)
    with open(folder / "vectors", "wb") as file:
        np.save(file, ROWS)
    (folder / "key2row").write_bytes(key2row(WORD_ROWS))
    (folder / "strings.json").write_text(json.dumps(STRINGS))
    (folder / "vectors.cfg").write_text('{\n  "mode":"default"\n}')
    return folder


@pytest.fixture
def store_of(tmp_path):
    return partial(converted, vector_format="spacy", folder=tmp_path / "model")


def assert_holds(store):
    assert list(store.words()) == [*WORD_ROWS]
    expected = ROWS[[*WORD_ROWS.values()]]
    np.testing.assert_array_equal(store.vectors([*WORD_ROWS]), expected)


def test_words_come_in_the_order_of_the_keys_each_with_its_row(vocab, store_of):
    with store_of(vocab / "vectors") as store:
        assert_holds(store)


@pytest.mark.parametrize("dtype", [">f4", "<f8", "<f2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_matrix_may_be_of_any_floats_in_either_order(vocab, store_of, dtype, order):
    with open(vocab / "vectors", "wb") as file:
        np.save(file, np.asarray(ROWS, dtype=dtype, order=order))
    with store_of(vocab / "vectors") as store:
        assert_holds(store)


def test_a_wheel_is_read_where_it_is_packed(vocab, store_of, tmp_path):
    wheel = tmp_path / "fr_mini.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in vocab.iterdir():
            archive.write(file, f"fr_mini/fr_mini-3.8.0/vocab/{file.name}")
    member = "fr_mini/fr_mini-3.8.0/vocab/vectors"
    with store_of(wheel, packing={"archive": "zip", "member": member}) as store:
        assert_holds(store)


def test_words_that_share_a_row_are_counted_in_the_card_and_told_in_the_log(
    vocab, store_of, caplog
):
    with store_of(vocab / "vectors") as store:
        assert store.facts["words_sharing_rows"] == 2
        assert store.facts["distinct_rows"] == 3
        assert store.facts["keys_without_string"] == 0
    (told,) = caplog.messages
    assert told == (
        f"{vocab / 'vectors'}: 2 of 4 words share their vector with another word; there are 3 "
        "vectors"
    )


def test_keys_without_a_string_are_counted_and_left_out(vocab, store_of, caplog):
    (vocab / "strings.json").write_text(json.dumps(["reine", "Reine"]))
    with caplog.at_level(logging.WARNING), store_of(vocab / "vectors") as store:
        assert list(store.words()) == ["reine", "aux", "Reine"]
        assert store.facts["keys_without_string"] == 1
    assert caplog.messages[-1].endswith("1 keys have a row but no string; left out")


def rewritten(name, data):
    return lambda vocab: (vocab / name).write_bytes(data)


NOT_ONE = "they are not of one pipeline. Take the whole folder vocab of one"
NO_MAP = ": expected a map of keys to rows in MessagePack, found a fault after "
FAULTS = {
    "floret": (
        rewritten("vectors.cfg", b'{"mode": "floret", "minn": 4, "maxn": 5, "hash_count": 2}'),
        "expected the mode default, found 'floret' (in a table of floret no word has its own row)",
    ),
    "no vectors": (
        rewritten("key2row", b"\x80"),
        "this pipeline has no vectors, like every one whose name ends in _sm. Take the one whose "
        "name ends in _md or _lg",
    ),
    "no key2row": (lambda vocab: (vocab / "key2row").unlink(), "key2row is missing next to "),
    "a cut key2row": (
        rewritten("key2row", key2row(WORD_ROWS)[:-1]),
        f"{NO_MAP}3 of them (No more data to unpack). Fetch the pipeline again",
    ),
    "a text for a key": (rewritten("key2row", msgpack.packb({"reine": 2})), f"{NO_MAP}0 "),
    "a row that is not there": (
        rewritten("key2row", key2row(WORD_ROWS | {"Reine": 3})),
        f"vectors has 3 rows, its key2row names the rows 0 to 3: {NOT_ONE}",
    ),
    "strings of another pipeline": (
        lambda vocab: (
            (vocab / "strings.json").write_text('["rey"]'),
            (vocab / "key2row").write_bytes(key2row({"reine": 0})),
        ),
        f"has no string for any of the 1 keys of key2row: {NOT_ONE}",
    ),
    "strings that are no JSON": (
        rewritten("strings.json", b'["reine"'),
        "strings.json next to ",
    ),
}


@pytest.mark.parametrize(("damage", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_in_one_sentence_and_leaves_nothing_behind(
    vocab, store_of, tmp_path, damage, sentence
):
    damage(vocab)
    with pytest.raises(VectorFormatError) as caught:
        store_of(vocab / "vectors")
    assert sentence in str(caught.value)
    assert str(vocab / "vectors") in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list((tmp_path / "model").iterdir()) == []


KEYS = st.integers(0, 2**64 - 1)


@given(st.dictionaries(KEYS, st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_every_map_of_keys_to_rows_is_read_as_it_was_written(rows):
    keys, read = _key2row(msgpack.packb(rows), "vectors")
    assert dict(zip(keys.tolist(), read.tolist(), strict=True)) == rows
    assert keys.tolist() == [*rows]


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
