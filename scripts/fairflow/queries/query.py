"""Query: target and attribute word sets, as WEFE's manual defines them, and what it declares."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any


def subquery_label(query: str, subquery: str, label: str) -> str:
    """A sub-query by the label of its query, if it is called by the query's name.

    Queries of words have sub-queries with names for readers; those of items, "query" or
    "query: category".
    """
    called_by_query = subquery == query or subquery.startswith(f"{query}: ")
    return label + subquery.removeprefix(query) if called_by_query else subquery


CROSS = "cross"
PAIRS, PROPERTY, VOCABULARY = QUERY_INPUTS = ("pairs", "property", "vocabulary")
# What each is, in a sentence that says what is missing.
MEANINGS = {
    PAIRS: "pairs of words that differ in the bias alone",
    PROPERTY: "a property of words, a file of config/properties",
    VOCABULARY: "a vocabulary to search",
}


def attributes_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """The attribute sets of an entry of a configuration: its own, or those of two contrasts."""
    crossed = (pair for sets in entry.get(CROSS, {}).values() for pair in sets.items())
    return {**entry.get("attributes", {}), **dict(crossed)}


@dataclass(frozen=True)
class Vocabulary:
    """The words of a model that a query searches.

    Attributes
    ----------
    first : number of first words, which are the most frequent ones if the file of the model is in
        order of frequency; None for all.
    limited : of these those of Gonen and Goldberg's limited vocabulary alone, see
        `fairflow.vectors.first_words.is_plain`.
    without : words that are left out.
    """

    first: int | None = None
    limited: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class QueryInputs:
    """The further inputs of a query: pairs, a property and a vocabulary, all optional.

    Attributes
    ----------
    pairs : of words that differ in the bias alone, for a direction from the second to the first.
    values : of the property, word -> number. vocabulary : which words of the model are looked at.

    Raises
    ------
    ValueError : a pair of one word or of three.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    vocabulary: Vocabulary | None = None

    def __post_init__(self) -> None:
        for pair in self.pairs:
            if len(pair) != 2:
                raise ValueError(f"pairs: expected two words, found {', '.join(pair)}")

    @property
    def names(self) -> frozenset[str]:
        """The keys of `QUERY_INPUTS` that are given."""
        return frozenset(self.plain())

    def __bool__(self) -> bool:
        return bool(self.names)

    def as_targets(self) -> dict[str, list[str]]:
        """The words of the pairs as a target set, for a query that names none."""
        return {PAIRS: list(dict.fromkeys(word for pair in self.pairs for word in pair))}

    def plain(self) -> dict[str, Any]:
        """The given inputs as plain values, the argument of `query_inputs`."""
        given: dict[str, Any] = {PAIRS: [*map(list, self.pairs)], PROPERTY: dict(self.values)}
        if self.vocabulary:
            without = list(self.vocabulary.without)
            given[VOCABULARY] = vars(self.vocabulary) | {"without": without}
        return {name: what for name, what in given.items() if what}

    def text(self) -> str:
        """A text that depends on all inputs; "" without any."""
        return json.dumps(self.plain(), ensure_ascii=False, sort_keys=True) if self else ""


def query_inputs(plain: Mapping[str, Any]) -> QueryInputs:
    """The inverse of `QueryInputs.plain`; other keys are passed over.

    Raises
    ------
    ValueError : a pair without two words.
    """
    asked = plain.get(VOCABULARY)
    if asked is not None:
        asked = Vocabulary(**{**asked, "without": tuple(asked.get("without", ()))})
    pairs = tuple(tuple(pair) for pair in plain.get(PAIRS, ()))
    return QueryInputs(pairs, dict(plain.get(PROPERTY, {})), asked)


def missing(needs: Iterable[str], declared: Iterable[str]) -> str | None:
    """A sentence on the inputs that a metric needs and a query does not declare, or None."""
    there = {*declared}
    lacking = [name for name in needs if name not in there]
    if not lacking:
        return None
    return "needs " + " and ".join(f"{name} ({MEANINGS[name]})" for name in lacking)


WordSets = Sequence[Sequence[str]]


class Query:
    """Target word sets, attribute word sets and a name for each.

    Parameters
    ----------
    target_sets, attribute_sets : lists of lists of words. They are copied, so a later change of
        the caller's lists does not change the query.
    target_sets_names, attribute_sets_names : one name per set, distinct within their list; by
        default "Target set 0", "Attribute set 0", ...
    declared : the further inputs of metrics of directions, of properties or of all words.

    Raises
    ------
    TypeError : a set is not a list (or array), a word or a name is not a string.
    ValueError : no target set, an empty set, as many names as sets are not given, or two sets of
        one list share a name (WEFE lets the second overwrite the first).

    Examples
    --------
    >>> from fairflow import Query
    >>> groups, topics = [["he", "him"], ["she", "her"]], [["work"], ["home"]]
    >>> query = Query(groups, topics, ["Men", "Women"], ["Work", "Home"])
    >>> query.query_name, query.template
    ('Men and Women wrt Work and Home', (2, 2))

    See also
    --------
    fairflow.load_query : a published query, by its name.
    fairflow.score : scores of queries, with tests and intervals.
    """

    def __init__(
        self,
        target_sets: WordSets,
        attribute_sets: WordSets,
        target_sets_names: Sequence[str] | None = None,
        attribute_sets_names: Sequence[str] | None = None,
        declared: QueryInputs | None = None,
    ) -> None:
        self.declared = declared or QueryInputs()
        self.target_sets = _checked_sets(target_sets, "target")
        if not self.target_sets:
            raise ValueError("target_sets is empty; a query needs at least one target set")
        self.attribute_sets = _checked_sets(attribute_sets, "attribute")
        self.target_sets_names = _checked_names(target_sets_names, self.target_sets, "target")
        self.attribute_sets_names = _checked_names(
            attribute_sets_names, self.attribute_sets, "attribute"
        )

    @property
    def template(self) -> tuple[int, int]:
        """(number of target sets, number of attribute sets)."""
        return len(self.target_sets), len(self.attribute_sets)

    @property
    def query_name(self) -> str:
        """'A and B wrt C and D'."""
        targets = joined(self.target_sets_names)
        if not self.attribute_sets_names:
            return targets
        return f"{targets} wrt {joined(self.attribute_sets_names)}"

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that depend on the words of the sets, not on names.

        And on what else is declared.
        """
        content = json.dumps([self.target_sets, self.attribute_sets], ensure_ascii=False)
        content += self.declared.text()
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def dict(self) -> dict[str, Any]:
        """The query as a plain dictionary, with WEFE's keys."""
        return {
            "target_sets": self.target_sets,
            "attribute_sets": self.attribute_sets,
            "target_sets_names": self.target_sets_names,
            "attribute_sets_names": self.attribute_sets_names,
            "query_name": self.query_name,
            "template": self.template,
        }

    def get_subqueries(self, new_template: tuple[int, int]) -> list[Query]:
        """Every query of the smaller template, targets outermost, in the order of the sets.

        Raises
        ------
        TypeError : a number of the template is not an int.
        ValueError : the template asks for more sets than the query has, or for no target set.
        """
        targets, attributes = new_template
        for number, role, available in (
            (targets, "target", len(self.target_sets)),
            (attributes, "attribute", len(self.attribute_sets)),
        ):
            if not isinstance(number, int):
                raise TypeError(f"the number of {role} sets must be an int, got {number!r}")
            if not (role == "target") <= number <= available:
                raise ValueError(
                    f"cannot take {number} {role} sets from the {available} of {self.query_name!r}"
                )
        return [
            Query(
                [self.target_sets[i] for i in chosen],
                [self.attribute_sets[i] for i in against],
                [self.target_sets_names[i] for i in chosen],
                [self.attribute_sets_names[i] for i in against],
                self.declared,
            )
            for chosen in combinations(range(len(self.target_sets)), targets)
            for against in combinations(range(len(self.attribute_sets)), attributes)
        ]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Query):
            return False
        return self.dict() == other.dict() and self.declared == other.declared

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<Query: {self.query_name}\n- Target sets: {self.target_sets}"
            f"\n- Attribute sets:{self.attribute_sets}>"
        )


def _checked_sets(sets: WordSets, role: str) -> list[list[str]]:
    if not _is_list(sets):
        raise TypeError(f"{role}_sets must be a list or array of word sets, got {type(sets)}")
    for position, words in enumerate(sets):
        if not _is_list(words):
            raise TypeError(f"{role} set {position} must be a list or array, got {type(words)}")
        if len(words) == 0:
            raise ValueError(f"{role} set {position} has no words")
        for word in words:
            if not isinstance(word, str):
                raise TypeError(f"{role} set {position} holds {word!r}, which is not a string")
    return [[str(word) for word in words] for words in sets]


def _checked_names(names: Sequence[str] | None, sets: WordSets, role: str) -> list[str]:
    if names is None:
        return [f"{role.capitalize()} set {position}" for position in range(len(sets))]
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{role}_sets_names must be a list of strings, got {names!r}")
    if len(names) != len(sets):
        raise ValueError(f"{len(sets)} {role} sets need as many names, got {len(names)}: {names}")
    repeated = sorted({name for name in names if list(names).count(name) > 1})
    if repeated:
        raise ValueError(f"{role} sets must have distinct names; repeated: {repeated}")
    return list(names)


def _is_list(value: object) -> bool:
    # Duck-typed, so that numpy is not loaded for a query of lists.
    return isinstance(value, list) or type(value).__name__ == "ndarray"


def joined(names: Sequence[str]) -> str:
    """'a', 'a and b' or 'a, b and c'."""
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
