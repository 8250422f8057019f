"""A seed belongs to an identity; the bytes are pinned, because published numbers depend on them."""

from fairflow.files.checksums import identity_digest
from fairflow.statistics.seeds import identity_generator


def test_the_digest_is_sha256_of_the_parts_with_a_unit_separator_between_them():
    # printf '2020\x1fglove\x1f3' | sha256sum
    assert identity_digest(2020, "glove", 3).hex().startswith("4443eed4b0447a8e")


def test_a_generator_gives_one_identity_the_same_numbers_and_another_others():
    first, again, other = (identity_generator(1, name).random(3) for name in ("a", "a", "b"))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()
