"""Fetching files of up to some gigabytes: all of the promised file, or nothing.

An interrupted download is resumed, also by another process; processes that want the same file at
once download it once; whatever arrives is compared with its checksum before it takes its place.
"""

from fairflow.files.downloads.checksums import verify
from fairflow.files.downloads.fetching import fetch

__all__ = ["fetch", "verify"]
