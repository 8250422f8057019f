"""SlotItem: a template with a target and an attribute, and the targets that are compared in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import NEUTRAL_MASK, SLOT, Item, Span, TokenRequest

NAMES = ("target", "fill")
CLUSTERS = ("targets", "fill", "template", "item")
# Masks for the fill in the prior: one, or as many as it has tokens.
FILL_MASKS = ("one", "pieces")


@dataclass(frozen=True)
class SlotItem(Item):
    """One template with one fill, and groups of target words.

    Attributes
    ----------
    template : text with "{target}" and "{fill}", each once.
    targets : for each group its words; usually one. The probabilities of several are added.
    names : of the groups; by default their first words.
    category : for summaries.
    cluster : items that belong together share it; those with the same targets by default.

    Raises
    ------
    ItemError : a slot missing, repeated or unknown; no group; an empty word.
    """

    kind = "slot"
    key = "templates"

    item_id: str
    template_id: str
    template: str
    targets: tuple[tuple[str, ...], ...]
    fill: str
    names: tuple[str, ...] = ()
    category: str = ""
    cluster: str = ""

    def problem(self) -> str | None:
        """A sentence on the slots, the words or the names."""
        slots = SLOT.findall(self.template)
        words = [word for group in self.targets for word in group]
        if sorted(slots) != sorted(NAMES):
            found = ", ".join(slots) or "no slot"
            needed = "{target} and {fill}, each once"
            return f": {self.template!r} must hold {needed}; found {found}"
        if not words or not all(self.targets):
            return " has a group without target words"
        if not all(word.strip() for word in (*words, self.fill)):
            return " has an empty target or fill word"
        return None

    @property
    def row(self) -> str:
        """The targets in one line."""
        return " / ".join("+".join(words) for words in self.targets)

    @property
    def cluster_id(self) -> str:
        """What is drawn and exchanged as a whole: `cluster`, else the row of targets."""
        return self.cluster or self.row

    @property
    def stratum(self) -> str:
        """The row of targets; each is queried equally often."""
        return self.row

    @property
    def drawn_by(self) -> str:
        """The fill; all rows of targets have the same fills."""
        return self.fill

    @property
    def factors(self) -> dict[str, str]:
        """What clusters may be crossed with."""
        return {"template": self.template_id, "fill": self.fill, "targets": self.row}

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> list[SlotItem]:
        """Every template with every fill and, word by word, the targets of all groups.

        `cluster` of the entry, one of `CLUSTERS`, says what is exchanged, drawn or left out as a
        whole. By default the targets, whose exchange the null hypothesis is about; of a single row
        of them the fill.
        """
        if missing := [name for name in ("groups", "fills") if name not in entry]:
            raise ItemError(f"kind 'slot' needs {', '.join(missing)}")
        groups, cluster = entry["groups"], entry.get("cluster")
        if cluster not in (None, *CLUSTERS):
            raise ItemError(
                f"cluster of slots must be one of {', '.join(CLUSTERS)}, got {cluster!r}"
            )
        sizes = {name: len(words) for name, words in groups.items()}
        if len(set(sizes.values())) != 1:
            raise ItemError(f"slots: groups of one size are needed, got {sizes}")
        rows = list(zip(*groups.values(), strict=True))
        cluster = cluster or ("targets" if len(rows) > 1 else "fill")
        items = []
        for (t, template), (f, fill), (r, row) in product(
            *map(enumerate, (entry["templates"], entry["fills"], rows))
        ):
            targets = tuple((word,) for word in row)
            item = cls(f"{t}.{f}.{r}", str(t), template, targets, fill, tuple(groups))
            items.append(replace(item, cluster=(item.factors | {"item": item.item_id})[cluster]))
        return items

    def shown(self) -> dict[str, str]:
        """The sentence, with the targets that are compared in brackets."""
        words = {"target": f"[{self.row}]", "fill": self.fill}
        return {"sentence": SLOT.sub(lambda slot: words[slot[1]], self.template)}

    def placed(self, target: str) -> tuple[str, Span, Span]:
        """The text with its words, and the positions of target and fill."""
        words = {"target": target, "fill": self.fill}
        before, first, between, second, after = SLOT.split(self.template)
        start, end = len(before), len(before + words[first] + between)
        spans = {
            first: (start, start + len(words[first])),
            second: (end, end + len(words[second])),
        }
        text = f"{before}{words[first]}{between}{words[second]}{after}"
        return text, spans["target"], spans["fill"]

    def requests(self, fill_masks: str = "one") -> list[TokenRequest]:
        """What has to be scored: posterior and prior of every target word."""
        variants = slot_variants(fill_masks)
        return [
            TokenRequest(self.text_id(group, number), text, variant, word=span, fill=fill)
            for group, words in enumerate(self.targets)
            for number, word in enumerate(words)
            for text, span, fill in [self.placed(word)]
            for variant in variants
        ]


def slot_variants(fill_masks: str) -> tuple[str, str]:
    """The variants of posterior and prior, of a key of `FILL_MASKS`."""
    return "posterior", "prior" if fill_masks == "one" else "prior_fill_pieces"


def template_of_masks(sentence: str, mask_index: int, where: str) -> str:
    """A sentence with two masks as a template: the `mask_index`-th is the target's.

    Raises
    ------
    ItemError : not two masks, or an index other than 0 and 1; `where` names the sentence.
    """
    parts = sentence.split(NEUTRAL_MASK)
    if len(parts) != 3:
        raise ItemError(
            f"{where}: {sentence!r} must have two {NEUTRAL_MASK}, found {len(parts) - 1}"
        )
    if mask_index not in (0, 1):
        raise ItemError(f"{where}: mask_index must be 0 or 1, got {mask_index!r}")
    first, second = ("{target}", "{fill}") if mask_index == 0 else ("{fill}", "{target}")
    return f"{parts[0]}{first}{parts[1]}{second}{parts[2]}"
