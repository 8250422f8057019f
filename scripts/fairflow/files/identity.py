"""The digest of an identity, from which every random number that belongs to it comes."""

from __future__ import annotations

import hashlib


def identity_digest(*identity: object) -> bytes:
    """32 bytes that depend on these names and numbers alone, in their order."""
    return hashlib.sha256("\x1f".join(map(str, identity)).encode()).digest()
