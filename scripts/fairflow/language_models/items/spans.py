"""Where words stand in a text, and how a mask is written whatever the tokenizer."""

from __future__ import annotations

# First character and the one behind the last.
Span = tuple[int, int]
NEUTRAL_MASK = "[MASK]"
