"""WEAT on an encoder, for subclasses that say what the vector of a word is, and its test.

Caliskan, Bryson & Narayanan 2017 (https://doi.org/10.1126/science.aal4230); ties and sampling as in
the code of May, Wang, Bordia, Bowman & Rudinger 2019 (https://doi.org/10.18653/v1/N19-1063).
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.networks.embed_texts import pooled_texts
from fairflow.language_models.networks.language_model import (
    Tensor,
    array_of,
    chosen_device,
    prepared,
    tensor_of,
)
from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.metrics.weat import associations, effect_size
from fairflow.statistics.permutation import (
    LARGEST_BINNED,
    TIE_TOLERANCE,
    random_labellings,
    upper_tail,
)
from fairflow.vectors.directions import cosine

METHODS = ("auto", "exact", "sampled", "none")
TAILS = ("strict", "weak")
# Random splits are drawn in pieces of about this many numbers.
CHUNK = 4_000_000


@dataclass(frozen=True)
class ExchangeTest:
    """Result of the test.

    Attributes
    ----------
    p_value : NaN for method "none".
    method : "exact", "binned" (every split, of rounded sums), "sampled" or "none".
    splits : counted or drawn.
    error : how much p_value may be too large by rounding ("binned"), otherwise 0.
    """

    p_value: float = math.nan
    method: str = "none"
    splits: int = 0
    error: float = 0.0


def exchange_test(
    first: np.ndarray,
    second: np.ndarray,
    method: str = "auto",
    samples: int = 100_000,
    tail: str = "weak",
    seed: int = 0,
) -> ExchangeTest:
    """Share of the splits of all values, sizes kept, in which the first set's sum is larger.

    For sets of fixed sizes the sum orders the splits as the difference of means does.

    Parameters
    ----------
    first, second : (n,), (m,) associations of the target words.
    method : "exact" counts all splits, of up to 100 words (see
        `fairflow.statistics.permutation.upper_tail`); "sampled" draws `samples`, and the observed
        split counts as one more; "auto" is the first that can be had.
    tail : "weak" counts splits with an equal sum (May et al.), so that p is never 0; "strict" does
        not (Caliskan et al.).

    Raises
    ------
    ValueError : an unknown method or tail, an empty set, or too many words for "exact".
    """
    for name, value, valid in (("method", method, METHODS), ("tail", tail, TAILS)):
        if value not in valid:
            raise ValueError(f"{name} must be one of {', '.join(valid)}, got {value!r}")
    if not len(first) or not len(second):
        raise ValueError(f"both sets need words, got {len(first)} and {len(second)}")
    if method == "none":
        return ExchangeTest()
    values = np.concatenate([first, second])
    n, size = len(values), len(first)
    if method == "exact" and n > LARGEST_BINNED:
        raise ValueError(f"{n} words are more than the {LARGEST_BINNED} that can be tested exactly")
    # Sums of the same numbers in another order differ by rounding; where all are 0 none is less.
    tolerance = max(TIE_TOLERANCE * float(np.abs(values).sum()), float(np.finfo(float).tiny))
    observed = float(first.sum())
    threshold = np.nextafter(observed + 2 * tolerance, np.inf) if tail == "strict" else observed
    if method == "exact" or (method == "auto" and n <= LARGEST_BINNED):
        tail_of_exchanges = upper_tail(values, size, threshold, tolerance)
        told = "binned" if tail_of_exchanges.error else "exact"
        return ExchangeTest(tail_of_exchanges.p, told, math.comb(n, size), tail_of_exchanges.error)
    sums = _random_sums(values, size, samples, np.random.default_rng(seed))
    reached = int(np.count_nonzero(sums >= threshold - tolerance))
    return ExchangeTest((reached + 1) / (samples + 1), "sampled", samples)


def _random_sums(
    values: np.ndarray, size: int, samples: int, generator: np.random.Generator
) -> np.ndarray:
    """The sum of the first `size` values in random splits, all equally likely: (samples,)."""
    sizes = size, len(values) - size
    step = max(1, CHUNK // len(values))
    counts = [min(step, samples - start) for start in range(0, samples, step)]
    return np.concatenate(
        [values @ (random_labellings(sizes, count, generator).T == 0) for count in counts]
    )


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
    statistic: float = math.nan
    effect_size: float = math.nan
    association_1: np.ndarray = field(default_factory=lambda: np.empty(0))
    association_2: np.ndarray = field(default_factory=lambda: np.empty(0))
    mean_cosines: Mapping[str, float] = field(
        default_factory=lambda: dict.fromkeys(("XA", "XB", "YA", "YB"), math.nan)
    )
    test: ExchangeTest = ExchangeTest()
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
        return TextAssociation(texts, lost, status="degenerate", reason=reason)
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


logger = logging.getLogger(__name__)


class WEAT(ABC):
    """Word Embedding Association Test of Caliskan et al. (2017) on contextual vectors.

    A subclass defines `_get_embedding(outputs)`, which takes the encoder's outputs for words that
    are equally long and returns (words, dims).

    Parameters
    ----------
    model : an encoder, or a model with a head, whose encoder is then used.
    device : "cpu", "cuda" and "mps" move the model, "auto" leaves it where it is, and so does
        "cuda" on a machine without, with a warning.

    Raises
    ------
    LanguageModelError : another device that is not there, a slow tokenizer.
    """

    def __init__(self, model: Any, tokenizer: Any, device: str = "cuda") -> None:
        self.model = _moved(model, device)
        self.tokenizer = tokenizer
        self._prepared = prepared(self.model, tokenizer)
        self.device = self._prepared.device

    @abstractmethod
    def _get_embedding(self, outputs: Any) -> Tensor:
        """Vectors of words from the encoder's outputs, hidden states of all layers included."""

    def get_embeddings(self, words: Sequence[str]) -> Tensor:
        """One vector per word: (words, dims), float32.

        Raises
        ------
        KeyError : a word that has none; the log says why.
        """
        return tensor_of(self._embedded(words).vectors(list(words)))

    def cosine_similarity(self, x: Tensor, y: Tensor) -> Tensor:
        """Cosines of the rows of two tensors: (n, dims), (m, dims) -> (n, m), in the type of x."""
        left, right = array_of(x), array_of(y)
        return tensor_of(
            cosine(left.astype(np.float64), right.astype(np.float64)).astype(left.dtype)
        )

    def effect_size(self, X: Tensor, Y: Tensor, A: Tensor, B: Tensor) -> float:
        """Effect size of the targets X and Y with the attributes A and B; NaN without a spread.

        The sample standard deviation is that of both targets together.
        """
        return effect_size(*_associations(X, Y, A, B), ddof=1)

    def p_value(self, X: Tensor, Y: Tensor, A: Tensor, B: Tensor, n_perm: int = 10_000) -> float:
        """Share of the splits of the targets that associate more strongly, see `metric`."""
        return exchange_test(*_associations(X, Y, A, B), samples=n_perm, tail="strict").p_value

    def metric(
        self,
        W1_words: Sequence[str],
        W2_words: Sequence[str],
        A1_words: Sequence[str],
        A2_words: Sequence[str],
        n_perm: int = 10_000,
        pval: bool = True,
        ddof: int = 1,
        tail: str = "strict",
        seed: int = 0,
    ) -> dict[str, float]:
        """Mean cosines, effect size and p-value; W1 and W2 are the targets.

        The p-value counts every split of up to 100 target words; of more, `n_perm` random ones.

        Parameters
        ----------
        ddof : of the effect size's standard deviation.
        tail : "strict" as Caliskan et al. write it, "weak" counts ties and is never 0.
        """
        sets = (W1_words, W2_words, A1_words, A2_words)
        embedded = self._embedded([word for words in sets for word in words])
        method = "auto" if pval else "none"
        association = text_association(embedded, *sets, ddof, method, n_perm, tail, seed)
        if association.reason:
            logger.warning("WEAT: %s", association.reason)
        sizes = {
            f"{role}_size": len(words)
            for role, words in zip(
                ("W1", "W2", "A1", "A2"), association.texts.values(), strict=True
            )
        }
        cosines = {f"{k[0]}-{k[1]}_mean_sim": v for k, v in association.mean_cosines.items()}
        p_value = {"p_value": association.test.p_value} if pval else {}
        return {**cosines, **sizes, "effect_size": association.effect_size, **p_value}

    def _embedded(self, words: Sequence[str]) -> EmbeddedTexts:
        embedded = pooled_texts(self._prepared, words, self._get_embedding, type(self).__name__)
        for word, reason in zip(embedded.texts, embedded.reasons, strict=True):
            if reason is not None:
                logger.warning("WEAT: %r has no vector: %s", word, reason)
        return embedded


class BertWEAT(WEAT):
    """WEAT on BERT's last layer at [CLS]."""

    def _get_embedding(self, outputs: Any) -> Tensor:
        return outputs.last_hidden_state[:, 0, :]


def _moved(model: Any, device: str) -> Any:
    if device == "auto":
        return model
    try:
        return model.to(chosen_device(device))
    except LanguageModelError:
        if device != "cuda":
            raise
        logger.warning("WEAT: there is no CUDA device here; the model stays where it is")
        return model


def _associations(X: Tensor, Y: Tensor, A: Tensor, B: Tensor) -> tuple[np.ndarray, np.ndarray]:
    x, y, a, b = (array_of(rows).astype(np.float64) for rows in (X, Y, A, B))
    return associations(x, a, b), associations(y, a, b)
