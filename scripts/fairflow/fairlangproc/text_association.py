"""WEAT and SEAT on the vectors of a language model.

Caliskan, Bryson & Narayanan 2017 (https://doi.org/10.1126/science.aal4230); May, Wang, Bordia,
Bowman & Rudinger 2019 (https://doi.org/10.18653/v1/N19-1063). Static vectors have the same formula.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.fairlangproc.exchange_test import ExchangeTest, exchange_test
from fairflow.language_models.slices.embedded_texts import EmbeddedTexts
from fairflow.metrics.weat import associations, effect_size
from fairflow.vectors.cosine import cosine

ROLES = ("target_1", "target_2", "attribute_1", "attribute_2")


@dataclass(frozen=True)
class TextAssociation:
    """Association of two target sets with two attribute sets.

    Attributes
    ----------
    texts : role -> texts that have vectors, each once. lost : text -> why it has none.
    statistic : sum of s over the first target set - sum over the second.
    effect_size : difference of the means of s over its standard deviation; NaN with a reason.
    association_1, association_2 : (texts,) s of each target text, the units of resampling.
    mean_cosines : "XA", "XB", "YA", "YB", with X, Y the targets and A, B the attributes.
    status, reason : "ok" and None; "degenerate" and why a value is NaN.
    """

    texts: Mapping[str, tuple[str, ...]]
    lost: Mapping[str, str]
    statistic: float
    effect_size: float
    association_1: np.ndarray
    association_2: np.ndarray
    mean_cosines: Mapping[str, float]
    test: ExchangeTest
    status: str = "ok"
    reason: str | None = None


def text_association(
    embedded: EmbeddedTexts,
    target_1: Sequence[str],
    target_2: Sequence[str],
    attribute_1: Sequence[str],
    attribute_2: Sequence[str],
    ddof: int = 1,
    p_value: str = "auto",
    samples: int = 100_000,
    tail: str = "weak",
    seed: int = 0,
) -> TextAssociation:
    """Do the first targets go with the first attributes, the second with the second?

    s(x) = mean cosine of x with the first attribute set - the same with the second. Positive values
    of statistic and effect size say yes; 0 is fair. Texts count once per set; sets may differ in
    size.

    Parameters
    ----------
    embedded : anything with `vectors(texts)`, `in` and `lost(texts)`.
    ddof : of the effect size's standard deviation, 1 (May et al.) or 0.
    p_value, samples, tail, seed : see `exchange_test`.
    """
    asked = dict(zip(ROLES, (target_1, target_2, attribute_1, attribute_2), strict=True))
    texts = {
        role: tuple(text for text in dict.fromkeys(set_of_role) if text in embedded)
        for role, set_of_role in asked.items()
    }
    lost = embedded.lost([text for set_of_role in asked.values() for text in set_of_role])
    reason = _without_value(embedded, texts)
    if reason:
        empty, nothing = np.empty(0), ExchangeTest(math.nan, "none", 0)
        cosines = dict.fromkeys(("XA", "XB", "YA", "YB"), math.nan)
        return TextAssociation(
            texts, lost, math.nan, math.nan, empty, empty, cosines, nothing, "degenerate", reason
        )
    x, y, a, b = (embedded.vectors(texts[role]).astype(np.float64) for role in ROLES)
    first, second = associations(x, a, b), associations(y, a, b)
    size = effect_size(first, second, ddof)
    flat = math.isnan(size)
    return TextAssociation(
        texts=texts,
        lost=lost,
        statistic=float(first.sum() - second.sum()),
        effect_size=size,
        association_1=first,
        association_2=second,
        mean_cosines={
            f"{target}{attribute}": float(cosine(rows, others).mean())
            for target, rows in (("X", x), ("Y", y))
            for attribute, others in (("A", a), ("B", b))
        },
        test=exchange_test(first, second, p_value, samples, tail, seed),
        status="degenerate" if flat else "ok",
        reason="all target texts have the same association: sd is 0" if flat else None,
    )


def _without_value(embedded: EmbeddedTexts, texts: Mapping[str, tuple[str, ...]]) -> str | None:
    """Why nothing can be computed, or None."""
    empty = [role for role, present in texts.items() if not present]
    if empty:
        return f"no text with a vector in {', '.join(empty)}"
    distinct = list(dict.fromkeys(text for present in texts.values() for text in present))
    lengths = np.linalg.norm(embedded.vectors(distinct).astype(np.float64), axis=1)
    bad = [text for text, n in zip(distinct, lengths, strict=True) if not np.isfinite(n) or n == 0]
    return f"zero or non-finite vectors: {', '.join(bad)}" if bad else None
