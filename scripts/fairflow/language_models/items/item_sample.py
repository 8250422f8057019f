"""A sample of the items of a query: the same for every model and metric, whatever the order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fairflow.files.identity import identity_digest
from fairflow.language_models.items.item_set import ItemSet


def sample_items(items: ItemSet, number: int | None, seed: int, query: str) -> ItemSet:
    """So many of the items, drawn without replacement; all of them if there are no more.

    Each stratum (category, or row of targets) gets its share. Within it every template comes once
    before any comes again, in an order that all strata have in common, so that groups that are
    compared meet the same templates, and slots the same fills. A larger sample holds the smaller.

    Parameters
    ----------
    number : None for all. Unreadable items are drawn like others, as they would count as lost.
    seed, query : decide the draw together with ids and templates.
    """
    every = [*items.items, *items.unreadable]
    if number is None or number >= len(every):
        return items
    chosen = {one.item_id for one in _in_order_of_draw(every, seed, query)[:number]}
    return replace(
        items,
        items=tuple(one for one in items.items if one.item_id in chosen),
        unreadable=tuple(one for one in items.unreadable if one.item_id in chosen),
        left_out={one.item_id: one.category for one in every if one.item_id not in chosen},
    )


def _in_order_of_draw(every: Sequence[Any], seed: int, query: str) -> list[Any]:
    """The items, those of each stratum spread evenly over the whole."""

    def chance(*names: str) -> bytes:
        return identity_digest(seed, "items", query, *names)

    by_stratum: dict[str, dict[str, list[Any]]] = {}
    for one in every:
        by_stratum.setdefault(one.stratum, {}).setdefault(one.template_id, []).append(one)
    placed = []
    for stratum, by_template in by_stratum.items():
        turns = []
        for template, members in by_template.items():
            members.sort(key=lambda one: chance(one.template_id, one.drawn_by))
            order = chance(template)
            turns += [(turn, order, one) for turn, one in enumerate(members)]
        turns.sort(key=lambda turn: turn[:2])
        # Middles of equal steps from 0 to 1: any beginning holds about the same share of each.
        places = ((place + 0.5) / len(turns) for place in range(len(turns)))
        placed += [(p, chance(stratum), one) for p, (*_, one) in zip(places, turns, strict=True)]
    return [one for *_, one in sorted(placed, key=lambda place: place[:2])]
