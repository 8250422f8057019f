"""Decisions about persons of a group, next to those about the same persons of another group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_items import DecisionItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.scoring.item_metric import ItemMetric, mean_of

# What the id of a draw has behind that of its item.
_RANK = re.compile(r"#\d+$")


class PersonContrast(ItemMetric):
    """A metric that compares a group with a reference, person by person and question by question.

    Persons are matched if they differ in one attribute alone; draws of one item count as one person
    with the mean of their values. Persons without a match are not used.
    """

    kind = "decision"
    defaults: ClassVar[Mapping[str, Any]] = {
        "attribute": "gender",
        "group": "female",
        "reference": "male",
    }

    def query_problem(self, items: ItemSet) -> str | None:
        """The query needs persons of two groups; items that are not read yet are not checked."""
        if self.parameters["group"] == self.parameters["reference"]:
            return "group and reference must be two, got {group!r} twice".format(**self.parameters)
        if not items.items or self.contrast(items.items)[1]:
            return None
        return (
            "no two persons differ only in {attribute}, one having {group!r} and the other "
            "{reference!r}".format(**self.parameters)
        )

    def contrast(self, items: Sequence[DecisionItem]) -> tuple[np.ndarray, int]:
        """The weight of each item, (items,), and the number of questions.

        Weights sum to 1 over the group's persons in a question, and to -1 over their matches.

        Raises
        ------
        ItemError : two items, no draws of one, have the same person and question.
        """
        attribute, group, reference = (
            self.parameters[name] for name in ("attribute", "group", "reference")
        )
        rows_of = _persons(items, attribute)
        pairs = [
            (items[rows[0]].template_id, rows, rows_of[match])
            for rows in rows_of.values()
            if items[rows[0]].attributes.get(attribute) == group
            and (match := items[rows[0]].with_value(attribute, reference)) in rows_of
        ]
        sizes = Counter(question for question, _, _ in pairs)
        shares = np.zeros(len(items))
        for question, of_group, of_reference in pairs:
            shares[of_group] = 1 / sizes[question] / len(of_group)
            shares[of_reference] = -1 / sizes[question] / len(of_reference)
        return shares, len(sizes)


def _persons(items: Sequence[DecisionItem], attribute: str) -> dict[object, list[int]]:
    """Question and person -> the indices of their items, more than one of an item with draws."""
    rows_of: dict[object, list[int]] = {}
    for row, item in enumerate(items):
        rows = rows_of.setdefault(
            item.with_value(attribute, item.attributes.get(attribute, "")), []
        )
        if rows and _drawn(items[rows[0]]) != _drawn(item):
            other = items[rows[0]].item_id
            raise ItemError(f"{item.item_id!r} and {other!r} are about the same person")
        rows.append(row)
    return rows_of


def _drawn(item: DecisionItem) -> str:
    """The id of the item that this is a draw of."""
    return _RANK.sub("", item.item_id)


def group_means(
    values: np.ndarray, shares: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Means over the group and over the reference, (B,): mean over persons, then over questions.

    Parameters
    ----------
    values : (rows,). shares : (rows,) of `PersonContrast.contrast`. weights : (B, rows).
    """
    sides = np.maximum(shares, 0), np.maximum(-shares, 0)
    of_group, of_reference = (mean_of(values, weights * side) for side in sides)
    return of_group, of_reference
