"""The vectors of a query's words in one model, with the account of its look-up."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairflow.files import atomic_path
from fairflow.lookup import Lookup, SetLookup, look_up_set, rejection
from fairflow.query import Query


@dataclass(frozen=True)
class WordVectors:
    """The vectors of one word set.

    Attributes
    ----------
    words : the forms found, in order of discovery.
    positions : (words,) the position in the query's set of the word that each form stands for.
    vectors : (words, dims), float64.
    """

    name: str
    words: tuple[str, ...]
    positions: np.ndarray
    vectors: np.ndarray


@dataclass(frozen=True)
class QueryVectors:
    """Every word set of a query with its vectors.

    Attributes
    ----------
    targets, attributes : accounts of the look-up, one per set.
    forms : the distinct forms found in any set; row i of `vectors` belongs to forms[i].
    vectors : (forms, dims), float32 as in the model.
    threshold : share of words that a set may lose.
    """

    targets: tuple[SetLookup, ...]
    attributes: tuple[SetLookup, ...]
    forms: tuple[str, ...]
    vectors: np.ndarray
    threshold: float

    @property
    def rejection(self) -> str | None:
        """Why the query is undefined in this model, or None."""
        return rejection((*self.targets, *self.attributes), self.threshold)

    def word_vectors(self, normalize: bool = False) -> tuple[list[WordVectors], list[WordVectors]]:
        """Target sets and attribute sets as matrices; `normalize` divides rows by their length."""
        matrix = self.vectors.astype(np.float64)
        if normalize:
            matrix = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        rows = {form: row for row, form in enumerate(self.forms)}

        def taken(account: SetLookup) -> WordVectors:
            words = tuple(account.found)
            positions = np.array([account.found[word] for word in words], dtype=int)
            chosen = matrix[[rows[word] for word in words]].reshape(len(words), matrix.shape[1])
            return WordVectors(account.name, words, positions, chosen)

        return [taken(a) for a in self.targets], [taken(a) for a in self.attributes]

    def subquery(self, query: Query) -> QueryVectors:
        """The part that belongs to a query of some of these sets, identified by name."""
        targets = {account.name: account for account in self.targets}
        attributes = {account.name: account for account in self.attributes}
        chosen = tuple(targets[name] for name in query.target_sets_names)
        against = tuple(attributes[name] for name in query.attribute_sets_names)
        # A vector of another set must not make this part degenerate.
        used = {form for account in chosen + against for form in account.found}
        rows = [row for row, form in enumerate(self.forms) if form in used]
        return replace(
            self,
            targets=chosen,
            attributes=against,
            forms=tuple(self.forms[row] for row in rows),
            vectors=self.vectors[rows],
        )

    @property
    def query(self) -> Query:
        """The query as it was asked."""
        return Query(
            [account.words for account in self.targets],
            [account.words for account in self.attributes],
            [account.name for account in self.targets],
            [account.name for account in self.attributes],
        )


def look_up_query(
    query: Query,
    contains: Callable[[str], bool],
    vectors: Callable[[Sequence[str]], np.ndarray],
    lookup: Lookup,
    prefix: str | None = None,
) -> QueryVectors:
    """Seek every word of a query and read the vectors of those found.

    Parameters
    ----------
    contains, vectors : the vocabulary: membership of a form; (forms, dims) rows of forms.
    """
    targets, attributes = (
        tuple(
            look_up_set(name, words, contains, lookup, prefix)
            for name, words in zip(names, sets, strict=True)
        )
        for names, sets in (
            (query.target_sets_names, query.target_sets),
            (query.attribute_sets_names, query.attribute_sets),
        )
    )
    forms = tuple(dict.fromkeys(form for account in targets + attributes for form in account.found))
    return QueryVectors(
        targets, attributes, forms, vectors(forms), lookup.lost_vocabulary_threshold
    )


def write_slice(slice_: QueryVectors, path: str | Path) -> None:
    """Write the vectors of a query in a model as one .npz file; equal content, equal bytes."""
    account = {
        "targets": [a.as_dict() for a in slice_.targets],
        "attributes": [a.as_dict() for a in slice_.attributes],
        "forms": slice_.forms,
        "threshold": slice_.threshold,
    }
    text = np.frombuffer(json.dumps(account, ensure_ascii=False).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, account=text, vectors=slice_.vectors)
    with atomic_path(path) as temporary:
        temporary.write_bytes(buffer.getbuffer())


def read_slice(path: str | Path) -> QueryVectors:
    """The inverse of `write_slice`."""
    with np.load(path, allow_pickle=False) as file:
        account = json.loads(file["account"].tobytes())
        return QueryVectors(
            targets=tuple(SetLookup.from_dict(a) for a in account["targets"]),
            attributes=tuple(SetLookup.from_dict(a) for a in account["attributes"]),
            forms=tuple(account["forms"]),
            vectors=file["vectors"],
            threshold=account["threshold"],
        )
