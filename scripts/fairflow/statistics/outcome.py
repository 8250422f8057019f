"""What a metric says about a query, as everything that tests, tabulates or prints it takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fairflow.statistics.kernel import Kernel


class WordValue(NamedTuple):
    """A value that belongs to one word of one set, and what each random split gave, if any did."""

    set: str
    word: str
    measure: str
    value: float
    splits: Sequence[float] = ()


@dataclass(frozen=True)
class Outcome:
    """What a metric says about a query.

    Attributes
    ----------
    result : the measure that the metric is known for.
    measures : name -> value; NaN where `reasons` says why.
    details : further entries of the documented result dictionary.
    words : the values of single words, to be gone through once: thousands of them are made only
        if somebody wants them.
    reasons : measure -> why it is NaN.
    status : "ok", or why nothing could be computed: "lost_vocabulary", "shared_words",
        "degenerate".
    resampling : gives the kernel that p-values and intervals need, for the query's own target
        sets or for others in their place; None for a metric that has no kernel.
    splits : measure -> its value on each random split of the attribute words, for a metric that
        is a mean over such splits.
    """

    result: float
    measures: dict[str, float]
    details: dict[str, Any] = field(default_factory=dict)
    words: Iterable[WordValue] = ()
    reasons: dict[str, str] = field(default_factory=dict)
    status: str = "ok"
    resampling: Callable[..., Kernel] | None = None
    splits: Mapping[str, Sequence[float]] = field(default_factory=dict)
