"""Completions of prompts as a file gives them."""

from fairflow.language_models.slices.answers import Completion


def given_completions(texts):
    """Prompt id -> texts, by rank."""
    return [
        Completion(prompt, rank, text)
        for prompt, own in texts.items()
        for rank, text in enumerate(own)
    ]
