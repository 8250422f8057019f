"""Prompt: the beginning of a text, or a text with one mask, that a model completes."""

from __future__ import annotations

from dataclasses import dataclass

from fairflow.language_models.errors import ItemError


@dataclass(frozen=True)
class Prompt:
    """A prompt.

    Attributes
    ----------
    template_id : prompts from one template belong together. unit : so do those about one person
        or group, whatever the template.
    category : of the person it speaks of.

    Raises
    ------
    ItemError : an empty text.
    """

    prompt_id: str
    text: str
    template_id: str = ""
    category: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ItemError(f"prompt {self.prompt_id!r} is empty")

    @property
    def unit_id(self) -> str:
        """What could have been another one: `unit`, else the template, else the prompt itself."""
        return self.unit or self.template_id or self.prompt_id

    @property
    def factors(self) -> dict[str, str]:
        """What units may be crossed with."""
        return {"template": self.template_id} if self.template_id else {}
