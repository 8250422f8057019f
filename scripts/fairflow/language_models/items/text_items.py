"""Items of texts: pairs of sentences, sentences, and prompts; and how a model completes these."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import numpy as np

from fairflow.files.checksums import identity_digest
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import NEUTRAL_MASK, Item, Span, TokenRequest

DIRECTIONS = ("stereo", "antistereo")
SIDES = ("more", "less")


@dataclass(frozen=True)
class PairItem(Item):
    """A pair of sentences that differ in what group they speak of.

    Attributes
    ----------
    more, less : the more and the less stereotyping sentence.
    direction : "stereo" if `more` shows a stereotype of a disadvantaged group, "antistereo" if
        `less` violates one.
    category : the type of bias.
    template_id : pairs of one template belong together.
    cluster : pairs of one source sentence, or of one group of minimal pairs, share it.
    value : a number known about the cluster, such as the share of women in an occupation; None if
        nothing is.

    Raises
    ------
    ItemError : another direction, or a value that is no finite number.
    """

    kind = "pair"
    key = "pairs"
    noun = "pair"
    likelihood = "causal"
    columns_of_texts: ClassVar[Mapping[str, str]] = {
        "more stereotyping": "score_more",
        "less stereotyping": "score_less",
    }

    item_id: str
    more: str
    less: str
    direction: str = "stereo"
    category: str = ""
    template_id: str = ""
    cluster: str = ""
    value: float | None = None

    def problem(self) -> str | None:
        """A sentence on its value or its direction."""
        if self.value is not None and not math.isfinite(self.value):
            return f": value must be finite, got {self.value!r}"
        if self.direction in DIRECTIONS:
            return None
        return f": direction must be one of {', '.join(DIRECTIONS)}, got {self.direction!r}"

    @classmethod
    def together(cls, items: Sequence[PairItem]) -> list[PairItem]:
        """Pairs that share a sentence are one cluster, unless they name another."""
        cluster_of: dict[str, str] = {}
        joined = []
        for item in items:
            earlier = [cluster_of[text] for text in (item.more, item.less) if text in cluster_of]
            cluster = earlier[0] if earlier else item.cluster_id
            for text in (item.more, item.less):
                cluster_of.setdefault(text, cluster)
            shared = cluster != item.cluster_id and not item.cluster and not item.template_id
            joined.append(replace(item, cluster=cluster) if shared else item)
        return joined

    def shown(self) -> dict[str, str]:
        """Both sentences."""
        return {"more stereotyping": self.more, "less stereotyping": self.less}

    def requests(self, variant: str = "masked", scope: str = "shared") -> list[TokenRequest]:
        """What has to be scored; only masked variants need the other sentence."""
        requests = []
        for side, text, other in (("more", self.more, self.less), ("less", self.less, self.more)):
            pair = {"partner": other, "scope": scope} if variant == "masked" else {}
            requests.append(TokenRequest(self.text_id(side), text, variant, **pair))
        return requests


@dataclass(frozen=True)
class SentenceItem(Item):
    """A sentence that is scored by itself.

    Attributes
    ----------
    kept : words that are not masked, wherever they occur as whole words, whatever their case.
    template_id : sentences from one template belong together. cluster : so do those of one source.

    Raises
    ------
    ItemError : an empty kept word.
    """

    kind = "sentence"
    key = "sentences"
    likelihood = "causal"

    item_id: str
    text: str
    kept: tuple[str, ...] = ()
    template_id: str = ""
    category: str = ""
    cluster: str = ""

    def problem(self) -> str | None:
        """That it keeps nothing."""
        return None if all(word.strip() for word in self.kept) else " keeps an empty word"

    @property
    def unasked(self) -> str | None:
        """That words which it is to keep do not occur."""
        absent = [repr(word) for word in self.kept if not occurrences(word, self.text)]
        return f"{', '.join(absent)} is not in {self.text!r}" if absent else None

    def shown(self) -> dict[str, str]:
        """The sentence."""
        return {"sentence": self.text}

    def requests(self, variant: str) -> list[TokenRequest]:
        """The request of a variant; none of a sentence without a word that it is to keep."""
        spans = {span for word in self.kept for span in occurrences(word, self.text)}
        request = TokenRequest(self.item_id, self.text, variant, kept=tuple(sorted(spans)))
        return [] if self.unasked else [request]


def occurrences(word: str, text: str) -> list[Span]:
    """Positions of a whole word in a text, whatever its case."""
    pattern = rf"(?<!\w){re.escape(word.strip())}(?!\w)"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


@dataclass(frozen=True)
class Prompt(Item):
    """A prompt.

    Attributes
    ----------
    template_id : prompts from one template belong together. cluster : so do those about one person
        or group, whatever the template.
    category : of the person it speaks of.

    Raises
    ------
    ItemError : an empty text.
    """

    kind = "prompt"
    key = "prompts"
    noun = "prompt"
    slice_ = "completions"
    # The text goes on for as long as this; a model that thinks needs --max-tokens.
    thought_tokens = 0
    field_of: ClassVar[Mapping[str, str]] = {"id": "prompt_id", "template": "template_id"}

    prompt_id: str
    text: str
    template_id: str = ""
    category: str = ""
    cluster: str = ""

    def problem(self) -> str | None:
        """That it is empty."""
        return None if self.text.strip() else " is empty"

    @property
    def item_id(self) -> str:
        """The prompt's id."""
        return self.prompt_id

    @property
    def message(self) -> str:
        """What stands before its mask."""
        return self.text.partition(NEUTRAL_MASK)[0].rstrip()

    def shown(self) -> dict[str, str]:
        """The prompt."""
        return {"prompt": self.text}


@dataclass(frozen=True)
class Decoding:
    """How completions are made.

    Attributes
    ----------
    method : "greedy", the most probable token, again and again; "sample", random tokens by their
        probability (both of causal models); or "fill_mask", the most probable tokens at the
        prompt's mask (masked models).
    completions : per prompt.
    max_new_tokens : of a causal model's completion.
    temperature, top_k, top_p : of "sample"; 0 and 1 leave top_k and top_p out.
    seed : of "sample"; every completion has its own, from this, the prompt's id and its rank.
    whole_words : "fill_mask" leaves tokens out that continue a word (##).

    Raises
    ------
    ItemError : several completions by "greedy".
    """

    method: str = "greedy"
    completions: int = 1
    max_new_tokens: int = 20
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    whole_words: bool = True

    def __post_init__(self) -> None:
        if self.method == "greedy" and self.completions > 1:
            raise ItemError(
                f"decoding: greedy has one completion per prompt, got {self.completions}; "
                "use method 'sample'"
            )

    @property
    def text(self) -> str:
        """What matters to the method, as JSON."""
        names = {
            "greedy": ("method", "max_new_tokens"),
            "sample": ("method", "max_new_tokens", "temperature", "top_k", "top_p", "seed"),
            "fill_mask": ("method", "whole_words"),
        }[self.method]
        return json.dumps({name: asdict(self)[name] for name in names})

    def seed_of(self, prompt_id: str, rank: int) -> int:
        """The seed of one completion: 32 bits."""
        return int.from_bytes(identity_digest(self.seed, prompt_id, rank)[:4], "big")

    def draw(self, logits: np.ndarray, uniform: float) -> int:
        """The token that a uniform number in [0, 1) stands for: (vocabulary,) -> id.

        `logits` may be log-probabilities as well.
        """
        scaled = logits / self.temperature
        probability = np.exp(scaled - scaled.max())
        if self.top_k:
            probability[np.argsort(-probability, kind="stable")[self.top_k :]] = 0
        if self.top_p < 1:
            order = np.argsort(-probability, kind="stable")
            before = np.cumsum(probability[order]) - probability[order]
            probability[order[before >= self.top_p * probability.sum()]] = 0
        reached = np.cumsum(probability)
        return int(np.searchsorted(reached, uniform * reached[-1], side="right"))
