"""The items that decide the scores, as the page shows them: by cell, type of bias and side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairflow.studies.wording import listed, short_number

CELL = ["model", "query", "metric"]
ABOVE = "above 0"


@dataclass(frozen=True)
class ShownText:
    """A text of an item, what the metric gives it by itself ("" for nothing), its counted words."""

    part: str
    text: str
    score: str
    words: str


@dataclass(frozen=True)
class ShownItem:
    """An item: its id, its value, its texts."""

    item: str
    value: str
    texts: tuple[ShownText, ...]


@dataclass(frozen=True)
class Side:
    """The items on one side of 0, and what that side says."""

    heading: str
    items: tuple[ShownItem, ...]


@dataclass(frozen=True)
class BiasType:
    """A category of a query, "" of one without, and the sides that it has items on."""

    name: str
    sides: tuple[Side, ...]


@dataclass(frozen=True)
class DecidingItems:
    """The items that decide a score of a model on a query, or equally decide several of them."""

    title: str
    measure: str
    types: tuple[BiasType, ...]

    @property
    def n_items(self) -> int:
        """How many items are shown."""
        return sum(len(side.items) for one in self.types for side in one.sides)


def deciding(table: pd.DataFrame, study: Mapping[str, Any]) -> tuple[DecidingItems, ...]:
    """The cells of a study in the order of its table; metrics that the same items decide are one.

    Parameters
    ----------
    table : of `fairflow.studies.item_tables.deciding_items`; may be empty, without columns.
    study : with labels and, by metric, readings.
    """
    if table.empty:
        return ()
    alike: dict[tuple[Any, ...], list[str]] = {}
    for (model, query, metric), rows in table.groupby(CELL, sort=False):
        reading = study.get("readings", {}).get(metric, "")
        types = tuple(_types(rows, reading))
        key = (model, query, rows["measure"].iloc[0], types)
        alike.setdefault(key, []).append(str(metric))
    labels = study["labels"]
    return tuple(
        DecidingItems(
            f"{labels.get(query, query)}, {listed(labels.get(m, m) for m in metrics)}: "
            f"{labels.get(model, model)}",
            str(measure).replace("_", " "),
            types,
        )
        for (model, query, measure, types), metrics in alike.items()
    )


def _types(rows: pd.DataFrame, reading: str) -> Iterator[BiasType]:
    for category, own in rows.groupby("category", sort=False):
        sides = tuple(
            Side(_heading(str(side), reading), tuple(_items(of_side)))
            for side, of_side in own.groupby("side", sort=False)
        )
        yield BiasType(str(category), sides)


def _heading(side: str, reading: str) -> str:
    """'Above 0: stereotypes are more probable'; of values that lean to no side how far they are."""
    if not reading.startswith(f"{ABOVE}: "):
        return f"Farthest {side}"
    said = reading.removeprefix(f"{ABOVE}: ")
    return f"Above 0: {said}" if side == ABOVE else "Below 0: the other way round"


def _items(rows: pd.DataFrame) -> Iterator[ShownItem]:
    for _, texts in rows.groupby("place", sort=True):
        first = texts.iloc[0]
        shown = tuple(
            ShownText(
                str(one.part),
                str(one.text),
                "" if pd.isna(one.score) else short_number(one.score),
                str(one.words),
            )
            for one in texts.itertuples()
        )
        yield ShownItem(str(first["item"]), short_number(first["value"]), shown)
