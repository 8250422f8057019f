"""The items that influence the scores most, by cell, type of bias and sign of their values."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from fairflow.studies.item_tables import ABOVE
from fairflow.studies.wording import listed, short_number

CELL = ["model", "query", "metric"]


class ShownItem(NamedTuple):
    """An item: its id, its value, and its texts.

    Each text has a part, its name in the item; a score, the metric's value of this text alone, or
    ""; and words, those that the metric counted.
    """

    item: str
    value: str
    texts: list[dict[str, str]]


class DecidingItems(NamedTuple):
    """The most influential items of a model's scores on a query, by metrics that share them.

    `types` : type of bias, or "" -> pairs of a heading for one sign and the items of this sign.
    """

    title: str
    measure: str
    types: dict[str, list[tuple[str, list[ShownItem]]]]
    n_items: int


def deciding(table: pd.DataFrame, study: Mapping[str, Any]) -> tuple[DecidingItems, ...]:
    """The cells of a study in the order of its table; metrics with the same items are one entry.

    Parameters
    ----------
    table : of `fairflow.studies.item_tables.influential_items`; may be empty, without columns.
    study : with labels and, by metric, readings.
    """
    if table.empty:
        return ()
    labels = study["labels"]
    alike: dict[str, tuple[str, str, dict[str, Any], list[str]]] = {}
    for (model, query, metric), rows in table.groupby(CELL, sort=False):
        above = study.get("readings", {}).get(metric, {}).get("above", "")
        shown = {
            "measure": str(rows["measure"].iloc[0]).replace("_", " "),
            "types": {
                str(category): [
                    (_heading(str(side), above), [*_items(of_side)])
                    for side, of_side in own.groupby("side", sort=False)
                ]
                for category, own in rows.groupby("category", sort=False)
            },
            "n_items": rows.groupby(["category", "side", "place"]).ngroups,
        }
        key = str((model, query, shown))
        alike.setdefault(key, (model, query, shown, []))[-1].append(labels.get(metric, metric))
    return tuple(
        DecidingItems(
            f"{labels.get(query, query)}, {listed(metrics)}: {labels.get(model, model)}", **shown
        )
        for model, query, shown, metrics in alike.values()
    )


def _heading(side: str, above: str) -> str:
    """'Above 0: stereotypes are more probable'; for values without a sign the distance."""
    if not above:
        return f"Farthest {side}"
    return f"Above 0: {above}" if side == ABOVE else "Below 0: the other way round"


def _items(rows: pd.DataFrame) -> Iterator[ShownItem]:
    for _, texts in rows.groupby("place", sort=True):
        scores = ["" if pd.isna(score) else short_number(score) for score in texts["score"]]
        shown = texts[["part", "text", "words"]].astype(str).assign(score=scores)
        item, value = texts[["item", "value"]].iloc[0]
        yield ShownItem(str(item), short_number(value), shown.to_dict("records"))
