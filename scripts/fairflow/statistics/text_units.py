"""Sentences of one word: what they are units of, and a metric's kernel that knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairflow.statistics.grouped_kernel import grouped
from fairflow.statistics.kernel import Kernel

# Text -> the word that it is of, the kind of its template, the template.
TextUnits = Mapping[str, Sequence[str]]


def kernel_of_units(kernel: Kernel, units: TextUnits) -> Kernel | str:
    """The kernel whose unit is the word, crossed with templates; or why there is none.

    Pairs of texts (RIPA), written "x/y", are units of the pair of their words.
    """
    words = [word for s in (*kernel.targets, *kernel.attributes) for word in s.words]
    unit_of = {word: _unit(word, units) for word in words}
    without = [word for word, unit in unit_of.items() if unit is None]
    if without:
        return (
            f"it is not known which word {without[0]!r} is of, and sentences of one word are no "
            "independent units: name words_of, or unit: sentence if each stands for itself"
        )
    kinds = sorted({unit[1] for unit in unit_of.values()})
    factors = [{w: unit[2] for w, unit in unit_of.items() if unit[1] == kind} for kind in kinds]
    return grouped(kernel, {word: unit[0] for word, unit in unit_of.items()}, factors)


def _unit(word: str, units: TextUnits) -> Sequence[str] | None:
    if word in units:
        return units[word]
    places = (cut for cut, letter in enumerate(word) if letter == "/")
    pairs = ((units.get(word[:cut]), units.get(word[cut + 1 :])) for cut in places)
    for first, second in pairs:
        if first is not None and second is not None:
            return [f"{a}/{b}" if a != b else a for a, b in zip(first, second, strict=True)]
    return None
