"""Pickles read as data: nothing that they name is imported or run.

A pickle says which functions to call and which objects to make. Here each of the few names that
gensim's files of vectors need stands for something that only keeps what it is given; any other
name ends the reading.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError

# Whatever the unpickler raises for bytes that are no pickle, or a nonsensical one.
_FAULTS = (
    pickle.UnpicklingError,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    TypeError,
    ValueError,
)
_PLAIN_TYPES = re.compile(r"[fiu][1248]|b1|[SU]\d{1,6}")


class Instance:
    """Stands for an object: its attributes, without its class."""

    __slots__ = ("attributes",)

    def __init__(self, *arguments: Any) -> None:
        self.attributes: Mapping[str, Any] = {}

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, dict):
            raise pickle.UnpicklingError(f"an object of {type(state).__name__}, not of attributes")
        self.attributes = state


class Array:
    """Stands for an array until it is asked for."""

    __slots__ = ("_data", "_order", "_shape", "_type")

    def __init__(self, *arguments: Any) -> None:
        self._shape, self._type, self._order, self._data = (0,), _Type("f4"), "C", b""

    def __setstate__(self, state: tuple[int, tuple[int, ...], _Type, bool, Any]) -> None:
        _, self._shape, self._type, fortran, self._data = state
        self._order = "F" if fortran else "C"

    @classmethod
    def of_buffer(cls, data: Any, kind: _Type, shape: tuple[int, ...], order: str) -> Array:
        """What numpy makes of a buffer in pickles of protocol 5."""
        array = cls()
        array._data, array._type, array._shape, array._order = data, kind, shape, order
        return array

    def values(self) -> np.ndarray:
        """The array, not writable.

        Raises
        ------
        VectorFormatError : its bytes do not fit its shape and type.
        """
        try:
            if isinstance(self._data, list):
                flat = np.empty(len(self._data), dtype=object)
                for i, value in enumerate(self._data):
                    flat[i] = value
            else:
                flat = np.frombuffer(_bytes(self._data), dtype=self._type.numpy())
            return flat.reshape(self._shape, order=self._order)
        except _FAULTS as error:
            raise VectorFormatError(f"an array in it is damaged: {error}") from error


class _Type:
    """Stands for numpy's description of a type of values."""

    __slots__ = ("_code", "_order")

    def __init__(self, code: Any = "", *arguments: Any) -> None:
        self._code, self._order = (code if isinstance(code, str) else ""), "<"

    def __setstate__(self, state: tuple[int, str, Any]) -> None:
        self._order = ">" if state[1] == ">" else "<"

    def numpy(self) -> np.dtype:
        if not _PLAIN_TYPES.fullmatch(self._code):
            raise pickle.UnpicklingError(f"values of type {self._code!r}")
        return np.dtype(self._order + self._code)


class _Call:
    """A function that a pickle may call, and do nothing else with."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def __setstate__(self, state: Any) -> None:
        raise pickle.UnpicklingError("a change to a function")


def _bytes(data: Any = b"", encoding: Any = None) -> bytes:
    # Python 2 wrote bytes as text of latin-1.
    if isinstance(data, str):
        return data.encode("latin-1")
    if not isinstance(data, bytes):
        raise pickle.UnpicklingError(f"{type(data).__name__} where bytes should be")
    return data


def _scalar(kind: _Type, data: Any) -> Any:
    return np.frombuffer(_bytes(data), dtype=kind.numpy())[0].item()


def _reconstructed(kind: Any, base: Any, state: Any) -> Instance:
    return Instance()


_NAMES: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): Array,
    ("numpy", "dtype"): _Type,
    ("_codecs", "encode"): _Call(_bytes),
    **{(copy, "_reconstructor"): _Call(_reconstructed) for copy in ("copyreg", "copy_reg")},
}
for _core in ("numpy.core", "numpy._core"):
    _NAMES[_core + ".multiarray", "_reconstruct"] = _Call(Array)
    _NAMES[_core + ".multiarray", "scalar"] = _Call(_scalar)
    _NAMES[_core + ".numeric", "_frombuffer"] = _Call(Array.of_buffer)
for _builtins in ("builtins", "__builtin__"):
    _NAMES[_builtins, "bytearray"] = _Call(_bytes)
    for _type in (object, frozenset, set):
        _NAMES[_builtins, _type.__name__] = _type


# The reader in Python, as that in C makes room for whatever number a pickle names.
class _Unpickler(pickle._Unpickler):
    # Bytes that nobody changes do, and cost no more room than the file has.
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
                f"it holds {module}.{name}, which does not belong into a file of vectors"
            ) from None


def read_pickle(file: BinaryIO, classes: Iterable[tuple[str, str]]) -> Any:
    """What a pickle holds, objects of `classes` as `Instance`, arrays as `Array`.

    Parameters
    ----------
    classes : module and name of those that it may hold.

    Raises
    ------
    VectorFormatError : it is no pickle, is damaged, or holds anything else; none of it was run.
    """
    try:
        return _Unpickler(file, classes).load()
    except _FAULTS as error:
        raise VectorFormatError(str(error) or type(error).__name__) from error
