"""Vectors that gensim saved: a pickle, with large arrays in files next to it.

The pickle is read as data: nothing that it names is imported or run. Each of the few names that
gensim's files need is replaced by a class that only stores its arguments. Any other name is an
error.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Literal

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.packed_files import CheckedStream
from fairflow.vectors.word2vec_format import BLOCK, Conversion, Records, copy_records, read_beside


class Instance:
    """Represents an object: its attributes, without its class."""

    __slots__ = ("attributes",)

    def __init__(self, *arguments: Any) -> None:
        self.attributes: Mapping[str, Any] = {}

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, dict):
            raise pickle.UnpicklingError(f"the state of an object is a {type(state).__name__}")
        self.attributes = state


class _Call:
    """A function that a pickle may call, but not change."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def __setstate__(self, state: Any) -> None:
        raise pickle.UnpicklingError("it changes a function")


def _bytes(data: Any = b"", encoding: Any = None) -> bytes:
    # Python 2 wrote bytes as text of latin-1.
    return data.encode("latin-1") if isinstance(data, str) else bytes(data)


def _kind(code: str, *arguments: Any) -> np.dtype:
    # A copy, as the state that follows would change numpy's own.
    return np.dtype(code, False, True)


def _array_of(type_: type, shape: tuple[int, ...], code: bytes) -> np.ndarray:
    # Nothing is allocated before there are numbers.
    return np.empty(0, dtype=np.float32)


_Order = Literal["C", "F"]


def _of_buffer(data: bytes, kind: np.dtype, shape: tuple[int, ...], order: _Order) -> np.ndarray:
    return np.frombuffer(data, dtype=kind).reshape(shape, order=order)


def _scalar(kind: np.dtype, data: Any) -> Any:
    return np.frombuffer(_bytes(data), dtype=kind)[0].item()


_NAMES: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): _Call(_kind),
    ("_codecs", "encode"): _Call(_bytes),
    **{(copy, "_reconstructor"): _Call(Instance) for copy in ("copyreg", "copy_reg")},
}
for _core in ("numpy.core", "numpy._core"):
    _NAMES[_core + ".multiarray", "_reconstruct"] = _Call(_array_of)
    _NAMES[_core + ".multiarray", "scalar"] = _Call(_scalar)
    _NAMES[_core + ".numeric", "_frombuffer"] = _Call(_of_buffer)
for _builtins in ("builtins", "__builtin__"):
    _NAMES[_builtins, "bytearray"] = _Call(_bytes)
    for _type in (object, frozenset, set):
        _NAMES[_builtins, _type.__name__] = _type


# The unpickler in Python: the one in C allocates whatever size a pickle names.
class _Unpickler(pickle._Unpickler):
    # Immutable bytes are enough, and need no more memory than the file.
    dispatch = pickle._Unpickler.dispatch | {
        pickle.BYTEARRAY8[0]: pickle._Unpickler.dispatch[pickle.BINBYTES8[0]]
    }

    def __init__(self, file: BinaryIO, classes: Iterable[tuple[str, str]]) -> None:
        # As gensim does, for pickles of Python 2.
        super().__init__(file, encoding="latin1")
        self._names = _NAMES | dict.fromkeys(classes, Instance)

    def find_class(self, module: str, name: str) -> Any:
        try:
            return self._names[module, name]
        except KeyError:
            raise pickle.UnpicklingError(
                f"it holds {module}.{name}, which does not belong in a file of vectors"
            ) from None


def read_pickle(file: BinaryIO, classes: Iterable[tuple[str, str]]) -> Any:
    """The content of a pickle: objects of `classes` as `Instance`.

    Parameters
    ----------
    classes : module and name of the classes that it may hold.

    Raises
    ------
    VectorFormatError : it is not a pickle, is damaged, or holds anything else. Nothing was run.
    """
    try:
        return _Unpickler(file, classes).load()
    # What a damaged or hostile file brings about depends on where it is so.
    except Exception as error:
        raise VectorFormatError(str(error) or type(error).__name__) from error


ROWS_AT_ONCE = 10_000
# Names of gensim's classes of vectors and vocabulary entries, in versions 1.0 to 4.
CLASSES = tuple(
    (f"gensim.models.{module}", name)
    for module, names in {
        "keyedvectors": "KeyedVectors Word2VecKeyedVectors EuclideanKeyedVectors "
        "WordEmbeddingsKeyedVectors FastTextKeyedVectors Vocab CompatVocab SimpleVocab",
        "fasttext": "FastTextKeyedVectors",
        "word2vec": "Vocab",
        "deprecated.keyedvectors": "KeyedVectors EuclideanKeyedVectors Vocab",
    }.items()
    for name in names.split()
)


def copy_gensim(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """The vectors of gensim's KeyedVectors.save, of gensim 1 to 4.

    The file is a pickle and could hold code. It is opened only after the stream's checksum was
    verified, and read as data: no code in it is run.

    Raises
    ------
    VectorFormatError : it is not such a file, or the array next to it is missing or damaged.
    """
    stream.verify()
    try:
        with stream.again() as file:
            kept = read_pickle(io.BufferedReader(file, BLOCK), CLASSES)
        if not isinstance(kept, Instance):
            raise VectorFormatError(f"it holds a {type(kept).__name__}, not KeyedVectors")
        attributes = kept.attributes
        words = _words(attributes)
        matrix = _matrix(attributes, words, stream)
        if matrix.ndim != 2 or matrix.dtype.kind != "f":
            raise VectorFormatError(f"its vectors are an array {matrix.shape} of {matrix.dtype}")
        if len(words) != len(matrix):
            raise VectorFormatError(f"it has {len(words)} words and {len(matrix)} vectors")
    except VectorFormatError as error:
        raise VectorFormatError(
            f"{copy.origin} is not a readable file of KeyedVectors: {error}. Nothing in it was "
            "run. Save only the vectors with gensim: KeyedVectors.save or, for a whole model, "
            "model.wv.save"
        ) from error
    copy.dims = matrix.shape[1]
    for start in range(0, len(words), ROWS_AT_ONCE):
        end = start + ROWS_AT_ONCE
        # Keys of documents may be numbers; a word may contain half of a surrogate pair.
        keys = [str(word).encode("utf-8", "surrogatepass") for word in words[start:end]]
        yield copy_records(keys, matrix[start:end].astype("<f4"), copy)


def _matrix(
    attributes: Mapping[str, Any], words: list[str | int], stream: CheckedStream
) -> np.ndarray:
    for name in ("vectors", "syn0"):
        if (matrix := _array(name, attributes, stream)) is not None:
            return matrix
    matrix = _array("vectors_vocab", attributes, stream)
    parts = _array("vectors_ngrams", attributes, stream)
    if matrix is None or parts is None:
        raise VectorFormatError("the arrays vectors, syn0 and vectors_vocab are all missing")
    if attributes.get("bucket") != len(parts) or not attributes.get("compatible_hash"):
        raise VectorFormatError("its vectors of subword n-grams are from a gensim before 3.8")
    return _composed(words, matrix, parts, attributes)


def _composed(
    words: list[str | int], matrix: np.ndarray, parts: np.ndarray, attributes: Mapping[str, Any]
) -> np.ndarray:
    """Vectors of words from their n-grams, as FastTextKeyedVectors.adjust_vectors computes them.

    gensim has not saved them since 4.0.
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
    """An array of the pickle, or of the file next to it that gensim names after the pickle."""
    if isinstance(attributes.get(name), np.ndarray):
        return attributes[name]
    if name not in (attributes.get("__numpys") or ()):
        return None
    data = read_beside(stream, f"{PurePosixPath(stream.name).name}.{name}.npy")
    if data is None:
        raise VectorFormatError(
            f"the file of its array {name!r}, {stream.name}.{name}.npy, is missing. Put it there, "
            "or write a single file: KeyedVectors.load(OLD).save(NEW, sep_limit=2**62)"
        )
    try:
        return np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise VectorFormatError(f"{stream.name}.{name}.npy: {error}") from error


def _words(attributes: Mapping[str, Any]) -> list[str | int]:
    for name in ("index_to_key", "index2word", "index2entity"):
        words = attributes.get(name)
        if isinstance(words, list):
            if not all(isinstance(word, (str, int)) for word in words):
                raise VectorFormatError(f"its list {name} does not hold only words")
            return words
    raise VectorFormatError("it has no list of words, index_to_key")
