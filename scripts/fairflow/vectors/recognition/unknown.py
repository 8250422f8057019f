"""The errors of a path whose vectors nobody can read."""

from __future__ import annotations

from fairflow.errors import VectorFormatError


class UnknownFormat(VectorFormatError):
    """The format of a file is not recognised, or several are possible."""


class NoVectors(UnknownFormat):
    """It is certain that a file holds no vectors, so that naming a format would not help."""
