"""Decoding: how a model writes completions."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import numpy as np

from fairflow.files.checksums import identity_digest
from fairflow.language_models.errors import ItemError

METHODS = {
    "greedy": "the most probable piece, again and again (causal models)",
    "sample": "random pieces by their probability (causal models)",
    "fill_mask": "the most probable pieces at the prompt's mask (masked models)",
}


@dataclass(frozen=True)
class Decoding:
    """How completions are made.

    Attributes
    ----------
    method : one of `METHODS`.
    completions : per prompt.
    max_new_tokens : of a causal model's completion.
    temperature, top_k, top_p : of "sample"; 0 and 1 leave top_k and top_p out.
    seed : of "sample"; every completion has its own, from this, the prompt's id and its rank.
    whole_words : "fill_mask" leaves pieces out that continue a word (##).

    Raises
    ------
    ItemError : a value out of its range, or several completions by "greedy".
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
        if self.method not in METHODS:
            raise ItemError(
                f"decoding: method must be one of {', '.join(METHODS)}, got {self.method!r}"
            )
        for name, valid, expected in (
            ("completions", self.completions >= 1, "at least 1"),
            ("max_new_tokens", self.max_new_tokens >= 1, "at least 1"),
            ("temperature", self.temperature > 0, "above 0"),
            ("top_k", self.top_k >= 0, "at least 0"),
            ("top_p", 0 < self.top_p <= 1, "in (0, 1]"),
        ):
            if not valid:
                raise ItemError(f"decoding: {name} must be {expected}, got {getattr(self, name)!r}")
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
        """The piece that a uniform number in [0, 1) stands for: (vocabulary,) -> id.

        `logits` may be log-probabilities as well.
        """
        scaled = logits / self.temperature
        probability = np.exp(scaled - scaled.max())
        if 0 < self.top_k < len(probability):
            probability[~_most_probable(probability, self.top_k)] = 0
        if self.top_p < 1:
            order = np.argsort(-probability, kind="stable")
            before = np.cumsum(probability[order]) - probability[order]
            probability[order[before >= self.top_p * probability.sum()]] = 0
        reached = np.cumsum(probability)
        return int(np.searchsorted(reached, uniform * reached[-1], side="right"))


def _most_probable(probability: np.ndarray, k: int) -> np.ndarray:
    """Which are the k largest, of equal ones those that come first: (n,), bool."""
    # Sorting a vocabulary takes ten times as long.
    least = np.partition(probability, -k)[-k]
    chosen = probability > least
    equal = np.flatnonzero(probability == least)
    chosen[equal[: k - int(chosen.sum())]] = True
    return chosen
