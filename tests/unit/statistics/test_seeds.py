"""A seed belongs to an identity; the bytes are pinned, because published numbers depend on them."""

from fairflow.files.checksums import identity_digest
from fairflow.statistics.seeds import identity_generator, identity_seed


def test_the_digest_is_sha256_of_the_parts_with_a_unit_separator_between_them():
    # printf '2020\x1fglove\x1f3' | sha256sum
    assert identity_digest(2020, "glove", 3).hex().startswith("4443eed4b0447a8e")


def test_a_seed_has_32_bits_and_keeps_the_parts_of_an_identity_apart():
    assert identity_seed(1, "ab", "c") != identity_seed(1, "a", "bc")
    assert identity_seed(1, "a", "b") == identity_seed(1, "a", "b")
    assert all(0 <= identity_seed(seed, "model") < 2**32 for seed in range(100))


def test_a_seed_is_the_first_four_bytes_of_the_digest():
    assert identity_seed(2020, "glove", 3) == 0x4443EED4


def test_a_generator_gives_one_identity_the_same_numbers_and_another_others():
    first, again, other = (identity_generator(1, name).random(3) for name in ("a", "a", "b"))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()
