"""Formats of vector files: each is copied into word2vec format in one pass, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from fairflow.files.streams import Stream
from fairflow.vectors.binary_format import copy_word2vec_binary
from fairflow.vectors.copying import Copy, Row
from fairflow.vectors.text_format import copy_glove_text, copy_word2vec_text


@dataclass(frozen=True)
class Format:
    """How a source file is copied, and whether its word2vec form is binary."""

    copy: Callable[[Stream, BinaryIO, Copy], Iterator[list[Row]]]
    binary: bool


def _copy_gensim(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    from fairflow.vectors.gensim_file import copy_gensim

    return copy_gensim(stream, target, copy)


def _copy_fasttext_bin(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    from fairflow.vectors.fasttext_file import copy_fasttext_bin

    return copy_fasttext_bin(stream, target, copy)


def _copy_npy(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    from fairflow.vectors.npy import copy_npy

    return copy_npy(stream, target, copy)


def _copy_spacy(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    from fairflow.vectors.spacy_file import copy_spacy

    return copy_spacy(stream, target, copy)


FORMATS: dict[str, Format] = {
    "glove-text": Format(copy_glove_text, binary=False),
    "word2vec-text": Format(copy_word2vec_text, binary=False),
    "fasttext-vec": Format(copy_word2vec_text, binary=False),
    "word2vec-binary": Format(copy_word2vec_binary, binary=True),
    "npy": Format(_copy_npy, binary=True),
    "gensim": Format(_copy_gensim, binary=True),
    "spacy": Format(_copy_spacy, binary=True),
    "fasttext-bin": Format(_copy_fasttext_bin, binary=True),
}
