"""BaseMetric: what a metric declares, how it measures a query, and the result."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairflow.errors import DegenerateError, nearest
from fairflow.metrics._result import Result
from fairflow.queries.lookup import Lookup, Preprocessor, log_lost_words
from fairflow.queries.query import PAIRS, PROPERTY, VOCABULARY, Query, missing
from fairflow.statistics.grouped_statistic import statistic_of_vectors
from fairflow.statistics.outcome import (
    DEFAULT_LEVEL,
    Outcome,
    Reading,
    WordValue,
    requested_statistics,
)
from fairflow.vectors.query_vectors import PairVectors, QueryVectors, WordVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

    from fairflow.statistics.resampling_statistic import ResamplingStatistic
    from fairflow.vectors.word_embedding_model import WordEmbeddingModel
    from fairflow.vectors.word_rows import FoundVectors


# The vectors of the target sets, or of the attribute sets, of a query.
Sets = Sequence[WordVectors]
_NO_PAIR = "no declared pair has both words in the model"


class BaseMetric:
    """A measure of association between target sets and attribute sets.

    A metric is a class with the attributes below and a method
    `compute(targets, attributes, **parameters) -> Outcome` that works on arrays. Alternatively it
    overrides `run_query(query, model, ...)`, which returns a dictionary with the key "result".

    Attributes
    ----------
    metric_template : numbers of target and attribute sets; "n" means any number.
    larger_is_fairer : the direction of a ranking.
    signed : positive and negative values both mean association; a ranking uses absolute values.
    nonnegative : values are never below 0.
    measure_names : keys of `Outcome.measures`; the first is the default result.
    labels : measure -> what tables and figures call it, where its own name does not say enough.
    caution : what must be known of a value with the default parameters; it stands below a table.
    without_effect_on_test : parameters that do not change the permutation test. Variants that
        differ only in these are tested once.
    measures_bias : the values measure bias. Models are ranked only by such metrics.
    unranked : measures by which models are not ranked.
    readings : measure -> what a value says, and which value is fair.
    needs : what a query must declare, from `fairflow.queries.query.QUERY_INPUTS`. `compute` gets
        each as a keyword: `pairs` (a `PairVectors`), `property` (word -> number) and `vocabulary`
        (a `VocabularyVectors`).
    of_directions : the lengths of vectors change nothing, so that nothing has to be measured again
        to know the values had they been equal.
    depends_on_length : longer vectors make values larger, see `scales_with_length`.
    depends_on_dimension : measures whose values by chance depend on the number of dimensions,
        see `scales_with_dimension`.
    word_measure : the measure of `Outcome.words` that places single words between two poles, see
        `place`; "" for a metric that does not, or that gives the values of another one.
    word_sign : 1 if it is larger nearer to the first pole, -1 if it is smaller.

    Examples
    --------
    >>> from fairflow import BaseMetric, Outcome, Query
    >>> class Nearest(BaseMetric):
    ...     metric_template, measure_names = (1, 1), ("nearest",)
    ...     metric_name = metric_short_name = "Nearest"
    ...     def compute(self, targets, attributes):
    ...         value = float((targets[0].vectors @ attributes[0].vectors.T).max())
    ...         return Outcome(value, {"nearest": value})
    >>> query = Query([["he", "she"]], [["work"]], ["People"], ["Work"])
    >>> Nearest().run_query(query, {"he": [1.0, 0.5], "she": [0.5, 1.0], "work": [1.0, 0.0]})
    <Nearest of People wrt Work: 1, 0 of 3 words lost>

    See also
    --------
    fairflow.Outcome : what `compute` returns.
    fairflow.score : takes such a class, next to names of metrics.
    """

    metric_template: ClassVar[tuple[int | str, int | str]]
    metric_name: ClassVar[str]
    metric_short_name: ClassVar[str]
    citation: ClassVar[str] = ""
    larger_is_fairer: ClassVar[bool] = False
    signed: ClassVar[bool] = True
    nonnegative: ClassVar[bool] = False
    measure_names: ClassVar[tuple[str, ...]] = ("result",)
    labels: ClassVar[Mapping[str, str]] = {}
    caution: ClassVar[str] = ""
    without_effect_on_test: ClassVar[tuple[str, ...]] = ()
    measures_bias: ClassVar[bool] = True
    unranked: ClassVar[tuple[str, ...]] = ()
    readings: ClassVar[Mapping[str, Reading]] = {}
    empty_details: ClassVar[dict[str, Any]] = {}
    needs: ClassVar[tuple[str, ...]] = ()
    of_directions: ClassVar[bool] = False
    depends_on_length: ClassVar[bool] = False
    depends_on_dimension: ClassVar[tuple[str, ...]] = ()
    word_measure: ClassVar[str] = ""
    word_sign: ClassVar[int] = 1

    def compute(self, targets: Sets, attributes: Sets, *args: Any, **parameters: Any) -> Outcome:
        """The metric's formula. Each metric overrides it."""
        raise TypeError(f"{type(self).__name__} does not define compute(targets, attributes)")

    def run_query(
        self,
        query: Query,
        model: WordEmbeddingModel | KeyedVectors | Mapping[str, Sequence[float]],
        lost_vocabulary_threshold: float = 0.2,
        preprocessors: Sequence[Preprocessor] = ({},),
        strategy: str = "first",
        normalize: bool = False,
        warn_not_found_words: bool = False,
        zero_vectors: str = "absent",
        shared_words: str = "keep",
        **options: Any,
    ) -> Result:
        """Measure a query on a model.

        Parameters
        ----------
        query : what is asked. model : the vectors; gensim's, or a dictionary, are a model, too.
        lost_vocabulary_threshold : largest share of words that a set may lose. If a set loses more,
            every measure is NaN.
        preprocessors, strategy, zero_vectors, shared_words : see `fairflow.queries.lookup.Lookup`.
        normalize : divide each vector by its length first.
        warn_not_found_words : log the lost words of each set, and those composed of n-grams.
        options : `calculate_p_value`, `calculate_intervals` and their settings, see
            `fairflow.statistics.outcome.requested_statistics`; and the metric's own parameters, see
            its `compute`.

        Returns
        -------
        A dictionary with the keys that WEFE documents and three more: `status` and `reason` (why a
        measure is NaN), and `audit` (which words of each set were found).

        Raises
        ------
        TypeError : not a Query, a word embedding model or a number; an unknown parameter.
        ValueError : the numbers of sets differ from the metric's template.
        DegenerateError : a zero or non-finite vector, or a set without any word in the model.
        """
        from fairflow.vectors.word_embedding_model import as_model  # A cell needs no model.

        model = as_model(model)
        self._check_types(query, model, lost_vocabulary_threshold, warn_not_found_words)
        self.check_template(query.template)
        self.check_declared(query.declared.names)
        statistics = {name: options[name] for name in options if name in _STATISTICS}
        parameters = {name: options[name] for name in options if name not in _STATISTICS}
        self.check_parameters(parameters, _SHARED - _NOT_OPTIONS)
        threshold = float(lost_vocabulary_threshold)
        lookup = Lookup(preprocessors, strategy, threshold, zero_vectors, shared_words)
        vectors = model.look_up(query, lookup)
        if VOCABULARY in self.needs:
            # A cell finds them in its slice; this import is not needed there.
            from fairflow.vectors.vocabulary import with_vocabulary

            vectors = with_vocabulary(vectors, model)
        if warn_not_found_words:
            for account in vectors.accounts:
                log_lost_words(account.name, account)
        outcome = self.evaluate(vectors, normalize, **parameters)
        undefined = outcome.status == "ok" and math.isnan(outcome.result)
        entries = {
            "query_name": query.query_name,
            "result": outcome.result,
            **outcome.measures,
            **outcome.details,
            **(requested_statistics(outcome, query.digest, **statistics) if statistics else {}),
            "status": "degenerate" if undefined else outcome.status,
            "reason": "; ".join(dict.fromkeys(outcome.reasons.values())) or None,
            "audit": [dict(vars(account)) for account in vectors.accounts],
        }
        level = statistics.get("interval_level", DEFAULT_LEVEL)
        return Result(entries, self.metric_short_name, tuple(outcome.measures), level)

    def evaluate(
        self, vectors: QueryVectors, normalize: bool = False, **parameters: Any
    ) -> Outcome:
        """The result of `compute`, or NaN if a set lost too many words."""
        if vectors.rejected:
            return self.undefined(*vectors.rejected, parameters)
        _check_vectors(vectors)
        if self.has_own_run_query():
            return self._own_outcome(vectors, parameters)
        targets, attributes = vectors.word_vectors(normalize)
        if dropped := [words.name for words in targets if not words.words]:
            raise DegenerateError(f"every word of {', '.join(dropped)} is in another target set")
        outcome = self.compute(targets, attributes, **_declared(vectors, self.needs), **parameters)
        if vectors.lookup.repeated_words == "keep":
            once = {(each.set, each.word, each.measure): each for each in outcome.words}
            outcome = replace(outcome, words=once.values())
        resampling = outcome.resampling
        if resampling is None or vectors.units is not None:
            return outcome

        def of_vectors(*others: Any) -> ResamplingStatistic:
            statistic = resampling(*others)
            return statistic if others else statistic_of_vectors(statistic, vectors.units_of_words)

        return replace(outcome, resampling=of_vectors)

    def place(self, words: WordVectors, poles: Sets, pairs: PairVectors) -> np.ndarray:
        """The value of each word between two poles, larger nearer to the first: (words,).

        Parameters
        ----------
        words : in the role of the metric's single set. poles : the two other sets, whose words are
            paired by position. pairs : the pairs of both poles that the model has whole.

        Raises
        ------
        DegenerateError : the metric has no value for these vectors.
        """
        if PAIRS in self.needs:
            if not pairs.words:
                raise DegenerateError(_NO_PAIR)
            outcome = self.compute([words], [], pairs=pairs)
        elif self.metric_template[0] == 2:
            outcome = self.compute(poles, [words])
        else:
            outcome = self.compute([words], poles)
        values = {
            found.word: found.value for found in outcome.words if found.measure == self.word_measure
        }
        return self.word_sign * np.array([values[word] for word in words.words])

    def _own_outcome(self, vectors: QueryVectors, parameters: dict[str, Any]) -> Outcome:
        """The outcome of a metric that overrides `run_query`.

        Every number of the returned dictionary is a measure, including `result`.
        """
        from fairflow.vectors.word_rows import FoundVectors  # Few cells need it.

        store = FoundVectors(dict(zip(vectors.forms, vectors.vectors, strict=True)))
        arguments = _lookup_policy(self.run_query, vectors) | parameters
        answer = self.run_query(vectors.query, self._model_of(store), **arguments)
        measures = {
            key: float(value)
            for key, value in answer.items()
            if isinstance(value, Real) and not isinstance(value, bool)
        }
        result = measures.get("result", math.nan)
        return Outcome(
            result=result,
            measures={"result": result, **measures},
            details={key: value for key, value in answer.items() if key not in measures},
            reasons={k: "the metric returned NaN" for k, v in measures.items() if math.isnan(v)},
        )

    @staticmethod
    def _model_of(store: FoundVectors) -> WordEmbeddingModel:
        from fairflow.vectors.word_embedding_model import WordEmbeddingModel

        return WordEmbeddingModel(store)

    def undefined(
        self, status: str, reason: str, parameters: Mapping[str, Any] | None = None
    ) -> Outcome:
        """The outcome of a query without a value: the documented keys, each NaN or empty."""
        names = self.measures_of(parameters or {})
        return Outcome(
            status=status,
            result=math.nan,
            measures=dict.fromkeys(names, math.nan),
            details=deepcopy(self.empty_details),
            reasons=dict.fromkeys(names, reason),
        )

    @classmethod
    def check_template(cls, template: tuple[int, int]) -> None:
        """Refuse a query whose numbers of sets do not fit the metric.

        Raises
        ------
        ValueError : naming the template found and the one expected.
        """
        for role, count, expected in zip(
            ("target", "attribute"), template, cls.metric_template, strict=True
        ):
            if (expected == "n" and count < 1) or (expected != "n" and count != expected):
                raise ValueError(
                    f"{cls.metric_short_name} takes {expected} {role} sets, the query has {count}"
                )

    @classmethod
    def check_declared(cls, declared: Collection[str]) -> None:
        """Refuse a query that does not declare what the metric needs.

        Raises
        ------
        ValueError : naming what is missing.
        """
        if lacking := missing(cls.needs, declared):
            raise ValueError(f"{cls.metric_short_name} {lacking}, which the query does not declare")

    @classmethod
    @cache
    def parameters(cls) -> tuple[str, ...]:
        """Names of the metric's own parameters."""
        function = cls.run_query if cls.has_own_run_query() else cls.compute
        # Skip self, and query and model or targets and attributes.
        names = [*inspect.signature(function).parameters][3:]
        return tuple(name for name in names if name not in _SHARED and name not in cls.needs)

    @classmethod
    def measures_of(cls, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """Names of the measures for these parameters."""
        return cls.measure_names

    @classmethod
    def computed_with(
        cls, parameters: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, str] | None]:
        """Parameters whose outcome includes the measures of these, and a map of measure names.

        Some parameters only select among values that one computation gives. A metric declares them
        here, so that variants which differ in them are computed once. The map is from the measure
        in that outcome to its name with these parameters; None means equal names.
        """
        return dict(parameters), None

    @classmethod
    def for_one(cls, measure: str) -> dict[str, Any]:
        """Parameters that leave out what this measure does not need and others do."""
        return {}

    @classmethod
    def scales_with_length(cls, parameters: Mapping[str, Any]) -> bool:
        """Whether longer vectors give larger values.

        If so, the values of two models are comparable only after `normalize`.
        """
        return cls.depends_on_length

    @classmethod
    def scales_with_dimension(cls, measure: str, parameters: Mapping[str, Any]) -> bool:
        """Whether values without any association depend on the number of dimensions.

        This is true for cosines and measures computed from them, unless they are divided by their
        spread; and for vectors that vary in few of their dimensions. The values of two models are
        then not comparable.
        """
        return measure in cls.depends_on_dimension

    @classmethod
    def reading(cls, measure: str, parameters: Mapping[str, Any]) -> Reading:
        """What a value says; an empty one if the metric does not tell."""
        return cls.readings.get(measure, Reading())

    @classmethod
    def property_scale(cls, parameters: Mapping[str, Any]) -> str:
        """How figures write the scale of a share p; empty for the scale of its file."""
        return ""

    @classmethod
    def has_own_run_query(cls) -> bool:
        """Whether the class overrides `run_query` instead of `compute`."""
        return cls.run_query is not BaseMetric.run_query

    @classmethod
    def check_parameters(
        cls, parameters: dict[str, Any], others: Collection[str] = ("normalize",)
    ) -> None:
        """Refuse parameters that the metric does not have.

        Parameters
        ----------
        others : what else can be given where these parameters come from.

        Raises
        ------
        TypeError : naming the nearest one, and all.
        """
        for name in parameters:
            if name not in cls.parameters():
                valid = sorted({*cls.parameters(), *others})
                meant = nearest(name, valid).partition("Valid:")[0].strip()
                hint = " ".join([meant, f"It takes {', '.join(valid)}"]).strip()
                raise TypeError(f"{cls.metric_short_name} has no parameter {name!r}. {hint}")

    @staticmethod
    def _check_types(query: Any, model: Any, threshold: Any, warn: Any) -> None:
        if not isinstance(query, Query):
            raise TypeError(f"query must be a Query, got {type(query)}")
        if not hasattr(model, "look_up"):
            raise TypeError(f"model must be a WordEmbeddingModel, got {type(model)}")
        check_threshold(threshold)
        check_flags(warn_not_found_words=warn)


def check_threshold(threshold: Any) -> None:
    """Refuse a lost_vocabulary_threshold that is not a number.

    Raises
    ------
    TypeError : any other type, including True and False.
    """
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.floating)):
        raise TypeError(f"lost_vocabulary_threshold must be a number, got {threshold!r}")


def check_flags(**flags: Any) -> None:
    """Refuse settings that are neither True nor False.

    Raises
    ------
    TypeError : naming the first one.
    """
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be True or False, got {value!r}")


_STATISTICS = frozenset(inspect.signature(requested_statistics).parameters) - {"outcome", "digest"}

# Arguments of every `run_query`, which are not parameters of a metric.
_NOT_OPTIONS = {"self", "options", "args", "kwargs"}
_SHARED = {*inspect.signature(BaseMetric.run_query).parameters, *_STATISTICS, "args", "kwargs"}


def _declared(vectors: QueryVectors, needs: Collection[str]) -> dict[str, Any]:
    """The declarations of the query that a metric needs, as keywords of `compute`.

    Raises
    ------
    DegenerateError : no pair is complete in the model, or the vocabulary was not read.
    """
    given: dict[str, Any] = {}
    if PAIRS in needs:
        given[PAIRS] = vectors.pair_vectors
        if not given[PAIRS].words:
            raise DegenerateError(_NO_PAIR)
    if PROPERTY in needs:
        given[PROPERTY] = vectors.declared.values
    if VOCABULARY in needs:
        if vectors.vocabulary is None:
            raise DegenerateError("the slice does not hold the words of the vocabulary")
        given[VOCABULARY] = vectors.vocabulary
    return given


def word_values(
    sets: Sets, values: Mapping[str, Sequence[float] | np.ndarray]
) -> Iterator[WordValue]:
    """The values of the words of some sets: measure by measure, and set by set within a measure."""
    return (
        WordValue(*name, measure, float(value))
        for measure, of_words in values.items()
        for name, value in zip(_named(sets), of_words, strict=True)
    )


def _named(sets: Sets) -> Iterator[tuple[str, str]]:
    return ((words.name, word) for words in sets for word in words.words)


def _check_vectors(vectors: QueryVectors) -> None:
    """Refuse empty sets and vectors without direction.

    Raises
    ------
    DegenerateError : a set without any word in the model; a zero vector, or one with NaN or
        infinity. The message names the sets or words.
    """
    empty = [account.name for account in vectors.accounts if not account.found]
    if empty:
        raise DegenerateError(f"no word was found of {', '.join(empty)}")
    if vectors.without_direction:
        bad = ", ".join(vectors.without_direction)
        raise DegenerateError(f"zero or non-finite vectors: {bad}")


def _lookup_policy(run_query: Callable[..., Any], vectors: QueryVectors) -> dict[str, Any]:
    """The look-up policy as arguments of `run_query`."""
    lookup = vectors.lookup
    policy = {
        "lost_vocabulary_threshold": lookup.lost_vocabulary_threshold,
        "preprocessors": list(lookup.preprocessors),
        "strategy": lookup.strategy,
    }
    taken = inspect.signature(run_query).parameters
    return {name: value for name, value in policy.items() if name in taken}
