"""Errors of a query of items, of a language model, and of a single item."""

from __future__ import annotations

from fairflow.errors import FairflowError

NOT_FINITE = "not_finite"
# Of answers in text: why one has no score.
REFUSED, NOT_PARSABLE, EMPTY, CUT, MISSING = "refused", "not_parsable", "empty", "cut", "missing"


class ItemError(FairflowError, ValueError):
    """A query that no model could score; raised before any job starts."""


class LanguageModelError(FairflowError):
    """A model, a tokenizer or a device that cannot do what a request needs."""


class UnstatedPooling(LanguageModelError):
    """An encoder whose files do not say how its positions become one vector."""


class Invalid(Exception):
    """Why one item is not scored: a property of the item, not a failure of the program.

    Parameters
    ----------
    status : why, in a word: "unreadable", the published item is not what its kind needs;
        "empty", the text, or what is to be scored of it, has no tokens; "unknown", a token is the
        tokenizer's unknown token; "too_long", the model has fewer positions than the text has
        tokens; "target_absent", a word that is to stay unmasked does not occur in its sentence;
        "split_word", a token lies partly inside and partly outside of a word; "first_position", its
        vector would depend on its position, see `context_templates`; `NOT_FINITE`, what the model
        computes is NaN or infinite; "degenerate", the formula has no value for these numbers.
        Of an answer in text: `REFUSED`, `NOT_PARSABLE`, `EMPTY`, `CUT`, the limit of length ended
        it, `MISSING`, none came.
    reason : the explanation, as a sentence.
    """

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def not_finite(what: str) -> Invalid:
    """The error for an answer with NaN or infinity."""
    return Invalid(NOT_FINITE, f"the model is broken: {what} of this text is NaN or infinite")
