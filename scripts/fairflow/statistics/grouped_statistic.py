"""Resampling of groups of units, such as the sentences of a word, and of their templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

import numpy as np

from fairflow.statistics.resampling_statistic import Measures, ResamplingStatistic, Stratum, Weights


@dataclass(frozen=True)
class Factor:
    """A factor that is crossed with groups, such as templates: (nearly) every pair occurs.

    Attributes
    ----------
    stratum : its levels. of_targets : (base units,) the level of each, -1 for none.
    of_attributes : per attribute set of the base likewise.
    """

    stratum: Stratum
    of_targets: np.ndarray
    of_attributes: Sequence[np.ndarray] = ()


@dataclass(frozen=True)
class GroupedStatistic(ResamplingStatistic):
    """A statistic whose unit is a group of the units of another one.

    All sentences of a word, or all items of a pair of names, are exchanged, drawn or left out
    together: they are no independent findings about it. Null hypothesis and statistic are those of
    `base`; only whole groups are exchanged. Had the templates been others too, intervals grow by
    what these add (`attributes` ends with the factors that groups are crossed with).

    Attributes
    ----------
    group_of : (base units,) the column of each one's group in weights of the targets.
    attribute_group_of : the same for each attribute set of the base.
    factors : what groups are crossed with. note : what to say of the groups next to a score.
    """

    base: ResamplingStatistic
    targets: Sequence[Stratum]
    base_attributes: Sequence[Stratum]
    group_of: np.ndarray
    attribute_group_of: Sequence[np.ndarray]
    factors: Sequence[Factor] = ()
    note: str = ""

    @property
    def attributes(self) -> Sequence[Stratum]:
        """Groups of each attribute set, then the levels of each factor."""
        return [*self.base_attributes, *(factor.stratum for factor in self.factors)]

    tested = property(attrgetter("base.tested"))
    tested_measures = property(attrgetter("base.tested_measures"))
    alternative = property(attrgetter("base.alternative"))
    exchanged = property(attrgetter("base.exchanged"))
    attributes_fixed = property(attrgetter("base.attributes_fixed"))
    magnitude = property(attrgetter("base.magnitude"))

    @property
    def unit(self) -> str:
        """What units are called in notes."""
        return f"{self.base.unit} or templates" if self.factors else self.base.unit

    def limits(self, measure: str) -> tuple[float, float]:
        """The limits of the base."""
        return self.base.limits(measure)

    @property
    def width(self) -> int:
        """The cost of the base."""
        return max(self.base.width, self.base.n_units)

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The base's measures, each of its units with the weight of its group and levels."""
        wide = [weights[:, self.group_of] for weights in targets]
        if attributes is None:
            return self.base.measures(wide)
        n_sets = len(self.base_attributes)
        groups = zip(attributes[:n_sets], self.attribute_group_of, strict=True)
        others = [weights[:, of] for weights, of in groups]
        for factor, weights in zip(self.factors, attributes[n_sets:], strict=True):
            wide = [w * _of_levels(weights, factor.of_targets) for w in wide]
            others = [
                w * _of_levels(weights, of)
                for w, of in zip(others, factor.of_attributes, strict=True)
            ]
        return self.base.measures(wide, others or None)

    def test_statistic(self, targets: Weights) -> np.ndarray:
        """The base's statistic."""
        return self.base.test_statistic([weights[:, self.group_of] for weights in targets])

    @cached_property
    def contributions(self) -> np.ndarray | None:
        """(groups,) means of the base's, where all groups are equally large."""
        values = self.base.contributions
        sizes = np.bincount(self.group_of, minlength=self.n_units)
        if values is None or len(set(sizes.tolist())) != 1:
            return None
        return np.bincount(self.group_of, values, self.n_units) / sizes

    @property
    def zero_mean(self) -> bool:
        """As that of the base, if exchanging all labels turns the sign here too."""
        balanced = len(set(self.sizes)) == 1
        return self.contributions is not None or (self.base.zero_mean and balanced)

    @property
    def untestable(self) -> str | None:
        """Why there is nothing to test, or None."""
        if self.exchanged == "signs" and self.n_units == 1 and self.base.untestable is None:
            return f"there is but one unit ({self.units[0]}): no other could be drawn or exchanged"
        return self.base.untestable or super().untestable

    @property
    def over_factors(self) -> ResamplingStatistic | None:
        """The statistic whose units are the levels of the factors, the groups fixed; or None."""
        return _OverFactors(self) if self.factors else None


@dataclass(frozen=True)
class _OverFactors(ResamplingStatistic):
    """A grouped statistic in which only the templates are resampled."""

    grouped: GroupedStatistic

    attributes = ()

    @property
    def targets(self) -> Sequence[Stratum]:
        """The levels of each factor."""
        return [factor.stratum for factor in self.grouped.factors]

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The measures for weighted levels."""
        ends = np.cumsum(self.sizes)[:-1]
        rows = max(map(len, targets))
        levels = [np.split(weights, ends, axis=1)[number] for number, weights in enumerate(targets)]
        levels = [np.broadcast_to(w, (rows, w.shape[1])) for w in levels]
        ones = [np.ones((1, len(s))) for s in self.grouped.base_attributes]
        observed = [np.repeat(w, rows, axis=0) for w in self.grouped.observed]
        return self.grouped.measures(observed, [*ones, *levels])

    def limits(self, measure: str) -> tuple[float, float]:
        """Those of the grouped statistic."""
        return self.grouped.limits(measure)

    width = property(attrgetter("grouped.width"))


def _of_levels(weights: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Weights of levels -> of units: (B, levels), (units,) -> (B, units); 1 without a level."""
    taken = weights[:, np.maximum(of, 0)]
    return taken if (of >= 0).all() else np.where(of >= 0, taken, 1.0)


def grouped(
    base: ResamplingStatistic, group: Mapping[str, str], factors: Sequence[Mapping[str, str]] = ()
) -> GroupedStatistic:
    """A statistic of groups.

    A factor is left out unless it is crossed with the groups: with one level there is nothing to
    resample, and where each group has one level only, levels are nested groups, not crossed ones.

    Parameters
    ----------
    base : its strata list all words of the query, `Stratum.words`.
    group : word of a stratum -> its group. factors : per factor word -> its level.

    Raises
    ------
    KeyError : a word without group.
    """
    made, group_of, start = [], [], 0
    for stratum in base.targets:
        groups, of = _stratum(stratum, group)
        made.append(groups)
        group_of.append(of + start)
        start += len(groups)
    attributes = [_stratum(stratum, group) for stratum in base.attributes]
    crossed = [_factor(base, levels) for levels in factors if _is_crossed(base, group, levels)]
    return GroupedStatistic(
        base=base,
        targets=made,
        base_attributes=[groups for groups, _ in attributes],
        group_of=np.concatenate(group_of),
        attribute_group_of=[of for _, of in attributes],
        factors=crossed,
    )


def _named(stratum: Stratum) -> list[str]:
    """The word that each unit of a stratum stands for, the first if it stands for several."""
    # Backwards, so that the first is kept.
    named = dict(zip(stratum.unit_of[::-1].tolist(), stratum.words[::-1], strict=True))
    return [named.get(unit, "") for unit in range(len(stratum))]


def _stratum(stratum: Stratum, group: Mapping[str, str]) -> tuple[Stratum, np.ndarray]:
    """The groups of a stratum, and the number of each unit's group: (units,)."""
    asked = tuple(dict.fromkeys(group[word] for word in stratum.words))
    of_units = [group[word] for word in _named(stratum)]
    there = tuple(dict.fromkeys(of_units))
    return Stratum(asked, _numbers(asked, there), there), _numbers(of_units, there)


def _numbers(names: Sequence[str | None], there: Sequence[str]) -> np.ndarray:
    """The position of each name in a list: (names,), -1 for a name that is missing."""
    number: dict[str | None, int] = {name: position for position, name in enumerate(there)}
    return np.array([number.get(name, -1) for name in names], dtype=int)


def _is_crossed(
    base: ResamplingStatistic, group: Mapping[str, str], levels: Mapping[str, str]
) -> bool:
    seen: dict[str, set[str]] = {}
    for stratum in (*base.targets, *base.attributes):
        for word in _named(stratum):
            if word in levels:
                seen.setdefault(group[word], set()).add(levels[word])
    every = set().union(*seen.values()) if seen else set()
    return len(every) > 1 and any(len(numbers) > 1 for numbers in seen.values())


def _factor(base: ResamplingStatistic, levels: Mapping[str, str]) -> Factor:
    strata = (*base.targets, *base.attributes)
    asked = tuple(sorted({levels[w] for s in strata for w in s.words if w in levels}))
    of_strata = [[levels.get(word) for word in _named(stratum)] for stratum in strata]
    there = tuple(name for name in asked if any(name in names for names in of_strata))
    numbers = [_numbers(names, there) for names in of_strata]
    n_targets = len(base.targets)
    stratum = Stratum(asked, _numbers(asked, there), there)
    return Factor(stratum, np.concatenate(numbers[:n_targets]), numbers[n_targets:])


# Text -> the word that it is of, the kind of its template, the template.
TextUnits = Mapping[str, Sequence[str]]


def statistic_of_units(
    statistic: ResamplingStatistic, units: TextUnits
) -> ResamplingStatistic | str:
    """The statistic whose unit is the word, crossed with templates; or why it is missing.

    Pairs of texts (RIPA), written "x/y", are units of the pair of their words.
    """
    words = [word for s in (*statistic.targets, *statistic.attributes) for word in s.words]
    unit_of = {word: unit for word in words if (unit := _unit(word, units)) is not None}
    without = [word for word in words if word not in unit_of]
    if without:
        return (
            f"it is not known which word {without[0]!r} is of, and sentences of one word are no "
            "independent units: name words_of, or cluster: sentence if each stands for itself"
        )
    kinds = sorted({unit[1] for unit in unit_of.values()})
    factors = [{w: unit[2] for w, unit in unit_of.items() if unit[1] == kind} for kind in kinds]
    return grouped(statistic, {word: unit[0] for word, unit in unit_of.items()}, factors)


def _unit(word: str, units: TextUnits) -> Sequence[str] | None:
    if word in units:
        return units[word]
    places = (cut for cut, letter in enumerate(word) if letter == "/")
    pairs = ((units.get(word[:cut]), units.get(word[cut + 1 :])) for cut in places)
    for first, second in pairs:
        if first is not None and second is not None:
            return [f"{a}/{b}" if a != b else a for a, b in zip(first, second, strict=True)]
    return None


def statistic_of_vectors(
    statistic: ResamplingStatistic, unit_of: Mapping[str, str]
) -> ResamplingStatistic:
    """The statistic whose unit is a distinct vector, or itself if each word has its own.

    Words that share a vector, and words that a set holds several times, are one finding: their
    values are equal whatever the model is like. They weigh as many as they are in the score.

    Parameters
    ----------
    unit_of : word -> a name of its vector. Other words are units by themselves.
    """
    strata = (*statistic.targets, *statistic.attributes)
    units = {word: [name] for word, name in unit_of.items()}
    words = {word for stratum in strata for word in (*stratum.words, *_named(stratum))}
    group = {word: (_unit(word, units) or [word])[0] for word in words}
    named = [_named(stratum) for stratum in strata]
    targets = [word for names in named[: len(statistic.targets)] for word in names]
    different = {group[word] for word in targets}
    within = any(len({group[word] for word in names}) < len(names) for names in named)
    if not within and len(different) == len({*targets}):
        return statistic
    note = (
        f"{len(targets)} target {statistic.unit} have {len(different)} vectors in this model: "
        "equal ones are exchanged, drawn and left out together"
    )
    return replace(grouped(statistic, group), note=note if len(different) < len(targets) else "")
