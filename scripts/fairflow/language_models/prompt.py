"""Prompt: the beginning of a text, or a text with one mask, that a model completes."""

from __future__ import annotations

from dataclasses import dataclass

from fairflow.language_models.errors import ItemError


@dataclass(frozen=True)
class Prompt:
    """A prompt.

    Attributes
    ----------
    template_id : prompts from one template belong together.
    category : of the person it speaks of.

    Raises
    ------
    ItemError : an empty text.
    """

    prompt_id: str
    text: str
    template_id: str = ""
    category: str = ""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ItemError(f"prompt {self.prompt_id!r} is empty")
