"""gensim's own files of vectors: a pickle, with large arrays in files beside it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, BinaryIO

import numpy as np

from fairflow.errors import DownloadError, VectorFormatError
from fairflow.files.streams import CheckedStream
from fairflow.vectors.copying import BLOCK, Copy, Row
from fairflow.vectors.harmless_pickle import Array, Instance, read_pickle

ROWS_AT_ONCE = 10_000
# What gensim calls its classes of vectors and of entries in their vocabularies, 1.0 to 4.
CLASSES = (
    *(
        ("gensim.models.keyedvectors", name)
        for name in (
            "KeyedVectors",
            "Word2VecKeyedVectors",
            "EuclideanKeyedVectors",
            "WordEmbeddingsKeyedVectors",
            "FastTextKeyedVectors",
            "Vocab",
            "CompatVocab",
            "SimpleVocab",
        )
    ),
    ("gensim.models.fasttext", "FastTextKeyedVectors"),
    ("gensim.models.word2vec", "Vocab"),
    ("gensim.models.deprecated.keyedvectors", "KeyedVectors"),
    ("gensim.models.deprecated.keyedvectors", "EuclideanKeyedVectors"),
    ("gensim.models.deprecated.keyedvectors", "Vocab"),
)
# Written by save(), by save() under a name that ends in .gz.
ARRAY_ENDINGS = (".npy", ".npz")


def copy_gensim(stream: CheckedStream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """The vectors of gensim's KeyedVectors.save, of gensim 1 to 4.

    The file is a pickle and could hold code: it is opened only after the stream's checksum has
    been verified, and read as data alone, so that none of it is ever run.

    Raises
    ------
    VectorFormatError : it is no such file, or the array beside it is missing or damaged.
    """
    stream.verify()
    try:
        with stream.again() as file:
            kept = read_pickle(io.BufferedReader(_Readable(file), BLOCK), CLASSES)
        attributes = _attributes(kept)
        words = _words(attributes)
        matrix = _matrix(attributes, words, stream)
        _check(attributes, words, matrix)
    except VectorFormatError as error:
        raise VectorFormatError(
            f"{copy.origin} is no file of KeyedVectors that can be read: {error}. Nothing in it "
            "was run. Save the vectors alone with gensim: KeyedVectors.save or, of a whole model, "
            "model.wv.save"
        ) from error
    copy.dims = matrix.shape[1]
    for start in range(0, len(words), ROWS_AT_ONCE):
        end = start + ROWS_AT_ONCE
        yield _copy_rows(words[start:end], matrix[start:end].astype("<f4"), target, copy)


class _Readable(io.RawIOBase):
    """A stream as a file, for the unpickler, which reads lines too."""

    def __init__(self, stream: CheckedStream) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)


def _attributes(kept: Any) -> Mapping[str, Any]:
    if not isinstance(kept, Instance):
        raise VectorFormatError(f"it holds a {type(kept).__name__}, not KeyedVectors")
    return kept.attributes


def _matrix(
    attributes: Mapping[str, Any], words: list[str | int], stream: CheckedStream
) -> np.ndarray:
    for name in ("vectors", "syn0"):
        if (matrix := _array(name, attributes, stream)) is not None:
            return matrix
    matrix = _array("vectors_vocab", attributes, stream)
    parts = _array("vectors_ngrams", attributes, stream)
    if matrix is None or parts is None:
        raise VectorFormatError("it has none of the arrays vectors, syn0 and vectors_vocab")
    if attributes.get("bucket") != len(parts) or not attributes.get("compatible_hash"):
        raise VectorFormatError("its vectors of parts of words are of a fastText before gensim 3.8")
    return _composed(words, matrix, parts, attributes)


def _composed(
    words: list[str | int], matrix: np.ndarray, parts: np.ndarray, attributes: Mapping[str, Any]
) -> np.ndarray:
    """Vectors of words by their parts, as FastTextKeyedVectors.adjust_vectors makes them.

    gensim does not keep them since 4.0.
    """
    from gensim.models.fasttext import ft_ngram_hashes

    shortest, longest = attributes.get("min_n"), attributes.get("max_n")
    matrix = matrix.copy()
    for row, word in enumerate(words[: len(matrix)] if len(parts) else ()):
        hashes = ft_ngram_hashes(str(word), shortest, longest, len(parts))
        for part in hashes:
            matrix[row] += parts[part]
        matrix[row] /= len(hashes) + 1
    return matrix


def _array(name: str, attributes: Mapping[str, Any], stream: CheckedStream) -> np.ndarray | None:
    if isinstance(attributes.get(name), Array):
        return attributes[name].values()
    return _array_beside(name, stream) if name in (attributes.get("__numpys") or ()) else None


def _array_beside(name: str, stream: CheckedStream) -> np.ndarray:
    """An array in a file of its own, which gensim names after the pickle."""
    own_name = PurePosixPath(stream.name).name
    for ending in ARRAY_ENDINGS:
        member = "val.npy" if ending == ".npz" else None
        try:
            with stream.beside(f"{own_name}.{name}{ending}", member) as file:
                data = b"".join(iter(lambda: file.read(BLOCK), b""))
        except (FileNotFoundError, DownloadError):
            continue
        try:
            return np.load(io.BytesIO(data), allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise VectorFormatError(f"{stream.name}.{name}{ending}: {error}") from error
    raise VectorFormatError(
        f"its array {name!r} is kept in a file of its own, {stream.name}.{name}.npy, which is not "
        "there. Put it there, or write one file: KeyedVectors.load(OLD).save(NEW, sep_limit=2**62)"
    )


def _words(attributes: Mapping[str, Any]) -> list[str | int]:
    for name in ("index_to_key", "index2word", "index2entity"):
        words = attributes.get(name)
        if isinstance(words, Array):
            words = words.values().tolist()
        if isinstance(words, list):
            if not all(isinstance(word, (str, int)) for word in words):
                raise VectorFormatError(f"its list {name} holds other things than words")
            return words
    raise VectorFormatError("it has no list of words, index_to_key")


def _check(attributes: Mapping[str, Any], words: list[str | int], matrix: np.ndarray) -> None:
    """Whether the parts of the file agree."""
    if matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise VectorFormatError(f"its vectors are an array {matrix.shape} of {matrix.dtype}")
    if len(words) != len(matrix):
        raise VectorFormatError(f"it has {len(words)} words and {len(matrix)} vectors")
    if attributes.get("vector_size") not in (None, matrix.shape[1]):
        raise VectorFormatError(f"its vectors have {matrix.shape[1]} dims, unlike its vector_size")
    rows = attributes.get("key_to_index")
    if isinstance(rows, dict) and any(rows.get(word) != i for i, word in enumerate(words)):
        raise VectorFormatError("its index_to_key and key_to_index contradict each other")


def _copy_rows(
    words: list[str | int], matrix: np.ndarray, target: BinaryIO, copy: Copy
) -> list[Row]:
    rows = []
    for key, vector in zip(words, matrix, strict=True):
        # Keys of documents may be numbers.
        word = str(key)
        head = word.encode("utf-8", "surrogatepass") + b" "
        target.write(head + vector.tobytes())
        # As it is read back from the file, if half a character is in it.
        rows.append((head[:-1].decode("utf-8", "replace"), copy.rows, copy.offset + len(head)))
        copy.rows += 1
        copy.offset += len(head) + vector.nbytes
    return rows
