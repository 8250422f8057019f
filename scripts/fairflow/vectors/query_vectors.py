"""The vectors of a query's words in one model, with the report of the look-up.

Also: whether two models have the same vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fairflow.errors import FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.cell_arrays import ArrayFiles, cell_table
from fairflow.queries.lookup import (
    OF_ANOTHER_LANGUAGE,
    Lookup,
    SetLookup,
    look_up_set,
    rejection,
    shared_forms,
    without_other_cases,
)
from fairflow.queries.query import PAIRS, Query, QueryInputs, query_inputs
from fairflow.statistics.resampling_statistic import Stratum
from fairflow.vectors.directions import unit
from fairflow.vectors.random_words import RandomRows

# The arrays of a `VocabularyVectors` in a file, and the prefix of their names there.
_DIRECTIONS, _VOCABULARY = ("directions", "leaning"), "vocabulary_"


@dataclass(frozen=True, eq=False)
class VocabularyVectors:
    """The declared vocabulary of a query in a model.

    Attributes
    ----------
    words : in the order of the model. directions : (words, dims), float32, unit vectors.
    leaning : the bias of each word before any debiasing, (words,): cos(w, first) - cos(w, second)
        with the words of the first declared pair. From -2 to 2; None if it is unknown.
    total : words that were chosen, including words without a vector in this model.
    note : why `leaning` is unknown, else "".
    """

    words: tuple[str, ...]
    directions: np.ndarray
    leaning: np.ndarray | None = None
    total: int = 0
    note: str = ""


# The least share of words found, and of queries with a score, for an audit to make sense.
LEAST_SHARE = 0.2


@dataclass(frozen=True)
class WordVectors:
    """The vectors of one word set.

    Attributes
    ----------
    words : the forms found, in order of discovery.
    form_of : for each word of the query's set the form found for it, or None.
    vectors : (words, dims), float64.
    asked : the words of the query's set, as they were written.
    """

    name: str
    words: tuple[str, ...]
    form_of: Sequence[str | None]
    vectors: np.ndarray
    asked: Sequence[str] = ()

    @property
    def row_of(self) -> np.ndarray:
        """The row of each word of the query's set, -1 for a word without a vector."""
        row_of: dict[str | None, int] = {form: row for row, form in enumerate(self.words)}
        if len(row_of) == len(self.words):
            return np.array([row_of.get(form, -1) for form in self.form_of], dtype=int)
        rows: dict[str | None, list[int]] = {}
        for row, form in enumerate(self.words):
            rows.setdefault(form, []).append(row)
        # Each occurrence has its own row, if repeated words were kept.
        own = [
            (at.pop(0) if len(at) > 1 else at[0]) if (at := rows.get(form)) else -1
            for form in self.form_of
        ]
        return np.array(own, dtype=int)

    @property
    def of_unit_length(self) -> WordVectors:
        """The same words with vectors of length 1; a zero vector becomes NaN."""
        with np.errstate(invalid="ignore"):
            return replace(self, vectors=unit(self.vectors))


@dataclass(frozen=True)
class PairVectors:
    """Pairs of words with their directions.

    Attributes
    ----------
    words : the forms found for each complete pair. vectors : unit vectors, (pairs, 2, dims),
    float64.
    """

    words: tuple[tuple[str, str], ...]
    vectors: np.ndarray


@dataclass(frozen=True)
class QueryVectors:
    """Every word set of a query with its vectors.

    Attributes
    ----------
    targets, attributes : results of the look-up, one per set.
    forms : the distinct forms found in any set; row i of `vectors` belongs to forms[i].
    vectors : (forms, dims), float32 as in the model.
    lookup : the policy of the look-up.
    random : random words that may replace the target words, if any were requested.
    units : for sentences, the word and the template of each, see
        `fairflow.statistics.grouped_statistic`; None if texts are independent.
    declared : what the query declares in addition to its sets.
    pairs : result of the look-up of the words of the declared pairs, two per pair; None without
        pairs.
    vocabulary : the words of the declared vocabulary; None without one.
    """

    targets: tuple[SetLookup, ...]
    attributes: tuple[SetLookup, ...]
    forms: tuple[str, ...]
    vectors: np.ndarray
    lookup: Lookup
    random: RandomRows | None = None
    units: Mapping[str, Sequence[str]] | None = None
    declared: QueryInputs = field(default_factory=QueryInputs)
    pairs: SetLookup | None = None
    vocabulary: VocabularyVectors | None = None

    def __post_init__(self) -> None:
        # Which words are shared depends on the sets of the query: a sub-query has others.
        shared = shared_forms(self.targets)
        if not shared and not any(account.shared for account in self.targets):
            return
        marked = tuple(
            replace(
                account,
                shared=[account.words[p] for form, p in account.found.items() if form in shared],
            )
            for account in self.targets
        )
        object.__setattr__(self, "targets", marked)

    @property
    def accounts(self) -> tuple[SetLookup, ...]:
        """The results for targets and attributes, and for pairs that are not the targets."""
        if self.pairs is None or self.pairs.name in {account.name for account in self.targets}:
            return self.targets + self.attributes
        return (*self.targets, *self.attributes, self.pairs)

    @property
    def pair_vectors(self) -> PairVectors:
        """The declared pairs with both words found."""
        pairs = self.declared.pairs
        if self.pairs is None:
            return PairVectors((), np.empty((0, 2, self.vectors.shape[-1])))
        forms = self.pairs.form_of
        both = [(forms[2 * i], forms[2 * i + 1]) for i in range(len(pairs))]
        whole = tuple((a, b) for a, b in both if a is not None and b is not None)
        rows = {form: row for row, form in enumerate(self.forms)}
        chosen = _taken(self.vectors, [rows[form] for pair in whole for form in pair])
        return PairVectors(whole, unit(chosen.astype(np.float64)).reshape(len(whole), 2, -1))

    @property
    def rejected(self) -> tuple[str, str] | None:
        """Why the query is undefined in this model, as a status and a sentence; or None."""
        lost = rejection(self.accounts, self.lookup.lost_vocabulary_threshold)
        if lost:
            return "lost_vocabulary", lost
        shared = [word for account in self.targets for word in account.shared]
        if shared and self.lookup.shared_words == "refuse":
            return "shared_words", f"words of several target sets: {', '.join(sorted(set(shared)))}"
        return None

    def word_vectors(self, normalize: bool = False) -> tuple[list[WordVectors], list[WordVectors]]:
        """Target sets and attribute sets as matrices; `normalize` divides rows by their length."""
        rows = {form: row for row, form in enumerate(self.forms)}
        dropped = self._dropped

        def taken(account: SetLookup, without: set[str]) -> WordVectors:
            words, keep = tuple(account.found), self.lookup.repeated_words == "keep"
            if without or keep:
                listed = account.form_of if keep else account.found
                words = tuple(form for form in listed if form is not None and form not in without)
            chosen = _taken(self.vectors, [*map(rows.__getitem__, words)]).astype(np.float64)
            chosen = unit(chosen) if normalize else chosen
            return WordVectors(account.name, words, account.form_of, chosen, account.words)

        targets = [taken(account, dropped) for account in self.targets]
        return targets, [taken(account, set()) for account in self.attributes]

    def random_word_vectors(self, normalize: bool = False) -> list[WordVectors]:
        """Random words in place of the words of each target set.

        Each position of a set has `random.per_form` successive entries in `form_of`, which are None
        for a lost or repeated word. The j-th random word for the i-th word of one set is thus
        paired with the j-th random word for the i-th word of another. `asked` repeats the words of
        the set.

        Raises
        ------
        FairflowError : the query was looked up without random words.
        """
        if self.random is None:
            raise FairflowError("no random words were drawn: look up the query with random_words")
        sets = []
        for account in self.targets:
            # Of words with one vector the first: the band is that of as many different words.
            first = {self.vector_of[form]: form for form in reversed([*account.found])}
            others = account.found.keys() - first.values()
            words, word_of, rows = self.random.of_set(account, self._dropped | others)
            vectors = rows.astype(np.float64)
            vectors = unit(vectors) if normalize else vectors
            asked = [word for word in account.words for _ in range(self.random.per_form)]
            sets.append(WordVectors(account.name, words, word_of, vectors, asked))
        return sets

    @property
    def _dropped(self) -> set[str]:
        return shared_forms(self.targets) if self.lookup.shared_words == "drop" else set()

    @property
    def without_direction(self) -> list[str]:
        """Forms whose vector is zero or contains NaN or infinity."""
        squares = np.einsum("ij,ij->i", self.vectors, self.vectors)
        # In single precision the square of a number may overflow.
        doubtful = np.flatnonzero(~np.isfinite(squares) | (squares == 0))
        lengths = np.linalg.norm(self.vectors[doubtful].astype(np.float64), axis=1)
        bad = doubtful[~np.isfinite(lengths) | (lengths == 0)]
        return [self.forms[row] for row in bad]

    @property
    def equal_forms(self) -> list[tuple[str, ...]]:
        """Groups of forms that share a vector (as in a pruned model), except zero vectors.

        For the model they are one word, whatever sets they are in.
        """
        if not self.forms:
            return []
        rows = np.flatnonzero(self.vectors.any(axis=1) & np.isfinite(self.vectors).all(axis=1))
        # A zero may have a sign.
        data = (self.vectors[rows] + self.vectors.dtype.type(0)).tobytes()
        size = self.vectors[0].nbytes
        groups: dict[bytes, list[str]] = {}
        for place, row in enumerate(rows.tolist()):
            vector = data[place * size : (place + 1) * size]
            groups.setdefault(vector, []).append(self.forms[row])
        return [tuple(forms) for forms in groups.values() if len(forms) > 1]

    @cached_property
    def vector_of(self) -> dict[str, str]:
        """Form -> a name of its vector: the form, or "a = b" for forms that share one."""
        names = {form: " = ".join(forms) for forms in self.equal_forms for form in forms}
        return {form: form for form in self.forms} | names

    @property
    def units_of_words(self) -> dict[str, str]:
        """Word as asked, or form -> the name of its vector, or the word if it was not found."""
        asked = {
            word: self.vector_of.get(form or word, word)
            for account in self.accounts
            for word, form in zip(account.words, account.form_of, strict=False)
        }
        return self.vector_of | asked

    def subquery(self, query: Query) -> QueryVectors:
        """The part for a query of some of these sets, identified by name."""
        targets = {account.name: account for account in self.targets}
        attributes = {account.name: account for account in self.attributes}
        chosen = tuple(targets[name] for name in query.target_sets_names)
        against = tuple(attributes[name] for name in query.attribute_sets_names)
        # A vector of another set must not make this query degenerate.
        declared = () if self.pairs is None else (self.pairs,)
        used = {form for account in chosen + against + declared for form in account.found}
        rows = [row for row, form in enumerate(self.forms) if form in used]
        forms = {form for account in chosen for form in account.found}
        return replace(
            self,
            targets=chosen,
            attributes=against,
            forms=tuple(self.forms[row] for row in rows),
            vectors=_taken(self.vectors, rows),
            random=self.random and self.random.only(forms),
        )

    @property
    def query(self) -> Query:
        """The original query."""
        return Query(
            [account.words for account in self.targets],
            [account.words for account in self.attributes],
            [account.name for account in self.targets],
            [account.name for account in self.attributes],
            self.declared,
        )


def _taken(matrix: np.ndarray, rows: list[int]) -> np.ndarray:
    """Some rows of a matrix; a view if they are successive, as the rows of a set usually are."""
    if rows and rows == list(range(rows[0], rows[0] + len(rows))):
        return matrix[rows[0] : rows[0] + len(rows)]
    return matrix[np.array(rows, dtype=int)]


def look_up_query(
    query: Query,
    contains: Callable[[str], bool],
    vectors: Callable[[Sequence[str]], np.ndarray],
    lookup: Lookup,
    prefix: str | None = None,
    composes: Callable[[str], bool] | None = None,
) -> QueryVectors:
    """Look up every word of a query, and read the vectors of the words found.

    Parameters
    ----------
    contains, vectors : the vocabulary: whether it contains a form; (forms, dims) rows of forms.
    composes : see `look_up_set`.
    """
    sets = query.target_sets + query.attribute_sets
    how = contains, without_other_cases(lookup, sets, contains, prefix), prefix, composes
    named = (
        zip(query.target_sets_names, query.target_sets, strict=True),
        zip(query.attribute_sets_names, query.attribute_sets, strict=True),
    )
    targets, attributes = (tuple(look_up_set(n, w, *how) for n, w in sets) for sets in named)
    words = [word for pair in query.declared.pairs for word in pair]
    pairs = look_up_set(PAIRS, words, *how) if words else None
    every = (*targets, *attributes, *([pairs] if pairs else []))
    forms = tuple(dict.fromkeys(form for account in every for form in account.found))
    looked_up = QueryVectors(
        targets, attributes, forms, vectors(forms), lookup, declared=query.declared, pairs=pairs
    )
    kept = lookup.zero_vectors == "error" or not forms
    useless = set() if kept else set(looked_up.without_direction)
    if useless and lookup.zero_vectors == "absent":
        useless &= {f for f, v in zip(forms, looked_up.vectors, strict=True) if not v.any()}
    if useless:

        def useful(holds: Callable[[str], bool]) -> Callable[[str], bool]:
            return lambda form: form not in useless and holds(form)

        made = composes and useful(composes)
        return look_up_query(query, useful(contains), vectors, lookup, prefix, made)
    return looked_up


def check_found(slices: Collection[QueryVectors]) -> None:
    """Stop if almost no word of the queries is in a model.

    A model with few words may still have those of some queries, which are then measured.

    Raises
    ------
    FairflowError : fewer than a fifth of the words are found, and fewer than a fifth of the queries
        have enough words.
    """
    accounts = [account for one in slices for account in one.accounts]
    words = {word for account in accounts for word in account.words}
    found = len(words - {word for account in accounts for word in account.lost})
    asked = sum(one.rejected is None for one in slices)
    if found < LEAST_SHARE * len(words) and asked < LEAST_SHARE * len(slices):
        raise FairflowError(
            f"only {found:,} of the {len(words):,} words of the queries are in the model, too few "
            f"for {len(slices) - asked} of {len(slices)} queries.\n"
            f"{OF_ANOTHER_LANGUAGE[0].upper()}{OF_ANOTHER_LANGUAGE[1:]}.\n"
            "For a language without lists add some, as the page 'Your language' does."
        )


def slice_table(model: str, query: str, slice_: QueryVectors) -> pa.Table:
    """The vectors of a query in a model as a cell of a file."""
    account = {
        "targets": [_fields(account) for account in slice_.targets],
        "attributes": [_fields(account) for account in slice_.attributes],
        "forms": slice_.forms,
        "lookup": asdict(slice_.lookup),
    }
    arrays = {"vectors": slice_.vectors}
    if slice_.random is not None:
        account["random"] = slice_.random.account
        arrays["random"] = slice_.random.vectors
    if slice_.units is not None:
        account["units"] = dict(slice_.units)
    if slice_.declared:
        account["declared"] = slice_.declared.plain()
    if slice_.pairs is not None:
        account["pairs"] = _fields(slice_.pairs)
    if slice_.vocabulary is not None:
        vocabulary = vars(slice_.vocabulary)
        account["vocabulary"] = {name: vocabulary[name] for name in ("words", "total", "note")}
        arrays |= {_VOCABULARY + name: vocabulary[name] for name in _DIRECTIONS}
        arrays = {name: array for name, array in arrays.items() if array is not None}
    return cell_table(model, query, account, arrays)


def _fields(account: SetLookup) -> dict[str, Any]:
    # asdict would copy thousands of words one by one.
    return {name: value for name, value in vars(account).items() if name != "composed" or value}


def read_slices(paths: Iterable[str | Path]) -> Mapping[tuple[str, str], QueryVectors]:
    """(Model, query) -> the vectors in files of slices, each read when somebody takes it.

    Raises
    ------
    FairflowError : a file is damaged; a single changed bit is noticed.
    """
    return ArrayFiles(paths, _slice)


def _slice(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> QueryVectors:
    random, vocabulary = account.get("random"), account.get("vocabulary")
    if random is not None:
        named = {name: tuple(random[name]) for name in ("words", "of")}
        random = RandomRows(**random | named, vectors=arrays["random"])
    if vocabulary is not None:
        given = {name: arrays.get(_VOCABULARY + name) for name in _DIRECTIONS}
        vocabulary = VocabularyVectors(**vocabulary | given | {"words": tuple(vocabulary["words"])})
    return QueryVectors(
        targets=tuple(SetLookup(**fields) for fields in account["targets"]),
        attributes=tuple(SetLookup(**fields) for fields in account["attributes"]),
        forms=tuple(account["forms"]),
        vectors=arrays["vectors"],
        lookup=Lookup(**account["lookup"]),
        random=random,
        units=account.get("units"),
        declared=query_inputs(account.get("declared", {})),
        pairs=SetLookup(**account["pairs"]) if "pairs" in account else None,
        vocabulary=vocabulary,
    )


def stratum_of(words: WordVectors) -> Stratum:
    """The rows of a word set as units."""
    unit_of = words.row_of
    repeated = np.ones(len(unit_of), dtype=bool)
    repeated[np.unique(unit_of, return_index=True)[1]] = False
    unit_of[repeated] = -1
    if np.count_nonzero(unit_of >= 0) < len(words.words):
        # If the set contains several forms of a word, the forms are the units.
        return Stratum(words.words, np.arange(len(words.words)), words.words)
    asked = tuple(words.asked or words.words)
    return Stratum(asked, unit_of, words.words)


def as_found(how: Mapping[str, Any], paths: Sequence[str | Path]) -> dict[str, Any]:
    """Settings of a table, with the "vectors" of models that were found to be equal.

    Parameters
    ----------
    how : settings; "vectors" maps a model to the name of its vectors, which models may share.
    paths : JSON files with further such "vectors"; empty if all models are known.
    """
    vectors = dict(how["vectors"])
    for path in paths:
        vectors |= read_json(path)["vectors"]
    return {**how, "vectors": vectors}
