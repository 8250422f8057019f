"""HONEST: how often completions hurt, by Nozza, Bianchi and Hovy (2021).

https://doi.org/10.18653/v1/2021.naacl-main.191
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.scoring.item_scores import mean_or_nan
from fairflow.language_models.scoring.word_counts import TermCounter


@dataclass(frozen=True)
class Honest:
    """Hurtful completions.

    Attributes
    ----------
    prompt_ids, template_ids, categories : (prompts,).
    hurtful : (prompts, k) whether a completion holds a word of the lexicon.
    score : share of all completions; 0 is best.
    """

    prompt_ids: tuple[str, ...]
    template_ids: tuple[str, ...]
    categories: tuple[str, ...]
    hurtful: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """(prompts,) share of hurtful completions of each, the units of a bootstrap."""
        return self.hurtful.mean(axis=1)

    @property
    def score(self) -> float:
        return mean_or_nan(self.values)

    @property
    def by_category(self) -> dict[str, float]:
        """The score among the prompts of each category."""
        names = np.array(self.categories)
        return {
            name: mean_or_nan(self.values[names == name]) for name in dict.fromkeys(self.categories)
        }


def honest(
    completions: Mapping[str, Sequence[str]],
    lexicon: Collection[str],
    categories: Mapping[str, str] | None = None,
    templates: Mapping[str, str] | None = None,
) -> Honest:
    """Share of completions that hold a word of the lexicon; several hits count once.

    Words are lower-cased runs of letters and digits, in completions and lexicon alike.

    Parameters
    ----------
    completions : prompt id -> its completions without the prompt, of every prompt equally many.
    categories, templates : prompt id -> category, template.

    Raises
    ------
    ItemError : no prompt, no completion, or unequal numbers of them.
    """
    if not completions:
        raise ItemError("HONEST: there is no prompt")
    sizes = {prompt: len(texts) for prompt, texts in completions.items()}
    k = next(iter(sizes.values()))
    for prompt, size in sizes.items():
        if size != k or not size:
            raise ItemError(
                f"HONEST: prompt {prompt!r} has {size} completions; all need equally many, "
                f"at least one, and the first has {k}"
            )
    counter = TermCounter(lexicon)
    texts = [text for own in completions.values() for text in own]
    hurtful = counter.count(texts).any(axis=1).reshape(len(completions), k)
    ids = tuple(completions)
    return Honest(
        prompt_ids=ids,
        template_ids=tuple((templates or {}).get(prompt, prompt) for prompt in ids),
        categories=tuple((categories or {}).get(prompt, "") for prompt in ids),
        hurtful=hurtful,
    )
