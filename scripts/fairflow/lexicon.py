"""Lexicons: files of one word per line."""

from __future__ import annotations

from pathlib import Path

from fairflow.errors import FairflowError


def parse_lexicon(path: Path, encoding: str, comment: str | None) -> list[str]:
    """The words of a lexicon, in the order of the file; empty lines and comments are skipped.

    Raises
    ------
    FairflowError : the file is not in that encoding, or holds no word.
    """
    try:
        text = path.read_text(encoding=encoding)
    except UnicodeDecodeError as error:
        raise FairflowError(f"{path.name} is not {encoding}: {error.reason}") from error
    lines = (line.strip() for line in text.split("\n"))
    words = [line for line in lines if line and not (comment and line.startswith(comment))]
    if not words:
        raise FairflowError(f"{path.name} holds no word")
    return words
