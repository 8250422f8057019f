"""Long texts of a page in a few letters, for parts that are shown only when they are asked for."""

from __future__ import annotations

import base64
import gzip


def packed(text: str) -> str:
    """A text as gzip in base64, as `unpack.js` reads it; the same text gives the same letters."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def unpacked(letters: str) -> str:
    """What `packed` made letters of."""
    return gzip.decompress(base64.b64decode(letters)).decode()
