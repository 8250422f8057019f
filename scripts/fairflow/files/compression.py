"""How a file is packed, told by its first bytes."""

from __future__ import annotations

HEAD_BYTES = 512

# https://en.wikipedia.org/wiki/List_of_file_signatures; that of bzip2 with its first block's, as
# a text may begin with BZh and a digit.
_SIGNATURES = {
    b"\x1f\x8b": "gz",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\xfd7zXZ\0": "xz",
    **{b"BZh%d1AY&SY" % level: "bz2" for level in range(1, 10)},
    **{b"BZh%d\x17\x72\x45\x38\x50\x90" % level: "bz2" for level in range(1, 10)},
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
    b"\x28\xb5\x2f\xfd": "zst",
    b"LZIP\x01": "lz",
    b"\x1f\x9d": "Z",
}
_TAR_SIGNATURE, _TAR_OFFSET = b"ustar", 257

STREAMS = ("gz", "bz2", "xz")
FOLDERS = ("zip", "tar")


def packing_of(head: bytes) -> str | None:
    """The packing that the first `HEAD_BYTES` of a file tell; None for one that is not packed.

    A packed tar is told as what it is packed with.
    """
    if head[_TAR_OFFSET:].startswith(_TAR_SIGNATURE):
        return "tar"
    return next((kind for start, kind in _SIGNATURES.items() if head.startswith(start)), None)


def problem(declared: str | None, head: bytes) -> str | None:
    """What is wrong with a declared packing: the end of a sentence, or None.

    Parameters
    ----------
    declared : one of `STREAMS` and `FOLDERS`, or None where nothing is declared.
    """
    kind = packing_of(head)
    if declared is None:
        if kind is None or kind in STREAMS:
            return None
        if kind in FOLDERS:
            return f"is a {kind} archive: add archive: {kind} and the member to its entry"
        return f"is packed as {kind}, which is not read here: unpack it, and name the file in it"
    if kind == declared or (declared == "tar" and (kind is None or kind in STREAMS)):
        return None
    if kind is None:
        return (
            f"is not packed as {declared}, as its entry says: it begins with {head[:24]!r}. If it "
            "is the right file, correct archive"
        )
    return (
        f"is packed as {kind}; its entry says {declared}. If it is the right file, correct archive"
    )
