"""One interface to word vectors: a store on disk, gensim's vectors, or plain arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.vectors.query_vectors import QueryVectors, look_up_query
from fairflow.vectors.random_words import draw_random_rows
from fairflow.vectors.word_frequency import UNKNOWN, WordFrequency, word_order
from fairflow.vectors.word_rows import WordRows, row_lengths, word_rows

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


class WordEmbeddingModel:
    """Word vectors with a name and the prefix of their vocabulary.

    Two models are equal if they hold the same object `wv` under the same name and prefix.

    Parameters
    ----------
    wv : gensim KeyedVectors, a dictionary of words and vectors, a `VectorStore`, or another store
        with its methods.
    name : shown in tables.
    vocab_prefix : put before each word of a query after its preprocessing ("/c/en/"). It is not
        added elsewhere: `model[word]`, `word in model` and `get` take exact keys.

    Raises
    ------
    TypeError : `wv` holds no vectors, or name or prefix is not a string.

    Examples
    --------
    >>> from fairflow import WordEmbeddingModel
    >>> model = WordEmbeddingModel({"he": [1.0, 0.5], "she": [-1.0, 0.5]}, "two words")
    >>> model
    <WordEmbeddingModel named 'two words', 2 words>
    >>> "he" in model, "they" in model
    (True, False)

    See also
    --------
    fairflow.load_test_model : a model for first steps.
    fairflow.score : takes vectors of any kind, without this class.
    """

    def __init__(
        self,
        wv: KeyedVectors | WordRows | Mapping[str, Sequence[float]],
        name: str | None = None,
        vocab_prefix: str | None = None,
    ) -> None:
        if isinstance(wv, Mapping) and wv and not hasattr(wv, "vectors"):
            wv = word_rows((list(wv), np.array(list(wv.values()), dtype=np.float32)))
        if not (hasattr(wv, "vectors") and (callable(wv.vectors) or hasattr(wv, "key_to_index"))):
            whole = ". It is a whole model: hand over its .wv" if hasattr(wv, "wv") else ""
            raise TypeError(
                "wv must be gensim KeyedVectors, a VectorStore or a dictionary of words and their "
                f"vectors (at least one), got {type(wv)}{whole}"
            )
        for argument, value in (("name", name), ("vocab_prefix", vocab_prefix)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{argument} must be a string or None, got {value!r}")
        # Those of gensim have no types.
        self.wv: Any = wv
        self.name = "Unnamed model" if name is None else name
        self.vocab_prefix = vocab_prefix

    def __contains__(self, word: object) -> bool:
        # gensim's fastText holds every string, by its parts; here a word is held that has a row.
        return isinstance(word, str) and word in getattr(self.wv, "key_to_index", self.wv)

    def composes(self, word: str) -> bool:
        """Whether the vector of a word that is not held is composed from its n-grams."""
        own = self.wv
        if hasattr(own, "buckets_word"):
            from gensim.models.fasttext import ft_ngram_hashes

            return bool(own.bucket and ft_ngram_hashes(word, own.min_n, own.max_n, own.bucket))
        return hasattr(own, "composes") and own.composes(word)

    def __len__(self) -> int:
        return len(self.wv)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordEmbeddingModel):
            return NotImplemented
        same_names = (self.name, self.vocab_prefix) == (other.name, other.vocab_prefix)
        return self.wv is other.wv and same_names

    def __hash__(self) -> int:
        # Not by the name, which the user may change while the model is a key.
        return hash(id(self.wv))

    def __getitem__(self, word: str) -> np.ndarray:
        if not isinstance(word, str):
            raise TypeError(f"a word must be a string, got {word!r}")
        return self.vectors([word])[0]

    def get(self, word: str, default: Any = None) -> Any:
        """The vector of a word, or `default` when the model does not hold it."""
        return self.vectors([word])[0] if word in self else default

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`, exact keys: (len(words), dims), a copy.

        Raises
        ------
        KeyError : a word that the model neither holds nor composes.
        """
        if callable(self.wv.vectors):
            return self.wv.vectors(words)
        try:
            return word_rows(self.wv).vectors(words)
        except KeyError:
            # FastText makes vectors for words that it does not hold.
            return self.wv[list(words)]

    def look_up(
        self,
        query: Query,
        lookup: Lookup,
        *,
        random_words: int = 0,
        seed: int = 0,
        frequency: WordFrequency = UNKNOWN,
    ) -> QueryVectors:
        """The vectors of a query's words and the account of every word.

        Those of a declared vocabulary are read by `fairflow.vectors.vocabulary.with_vocabulary`.

        Parameters
        ----------
        random_words, seed : how many random words to draw for the target words, by which seed;
            see `fairflow.vectors.random_words.draw_random_rows`.
        frequency : what tells how frequent words are, as `fairflow.vectors.word_frequency` decides;
            without it no random words are drawn. For vectors of your own whose most frequent words
            come first it is `WordFrequency(OWN_ORDER)`.

        Raises
        ------
        ValueError : `random_words` is no number of words.
        """
        if isinstance(random_words, bool) or not isinstance(random_words, int) or random_words < 0:
            raise ValueError(f"random_words must be an integer from 0, got {random_words!r}")
        prefix, how = self.vocab_prefix, (self.__contains__, self.vectors, lookup)
        looked_up = look_up_query(query, *how, prefix, self.composes)
        if not random_words:
            return looked_up
        targets = [form for account in looked_up.targets for form in account.found]
        words = [word for account in looked_up.accounts for word in account.words]
        own = self.wv if callable(self.wv.vectors) else word_rows(self.wv)
        order = word_order(own, self.vectors, frequency)
        drawn = order, self.vectors, random_words, seed, prefix, frequency
        return replace(
            looked_up, random=draw_random_rows(targets, [*looked_up.forms, *words], *drawn)
        )

    def with_vectors(self, wv: Any, name: str) -> WordEmbeddingModel:
        """A model with other vectors of the same words."""
        return WordEmbeddingModel(wv, name, self.vocab_prefix)

    def normalize(self) -> None:
        """Divide each row of gensim vectors by its Euclidean length, in place.

        Vectors that FastText composes for words without a row keep their length.

        Raises
        ------
        TypeError : the vectors are read from disk.
        ValueError : they are mapped into memory for reading alone.
        FairflowError : a zero or non-finite row; the words are named and no row was changed.
        """
        matrix = self._writable()
        lengths = row_lengths(matrix, self.wv.index_to_key)[:, np.newaxis]
        np.divide(matrix, lengths, out=matrix, casting="same_kind")
        self.wv.norms = None  # gensim's cache of lengths

    def update(self, word: str, embedding: np.ndarray) -> None:
        """Replace the vector of a word in gensim vectors; see `batch_update`."""
        self.batch_update([word], [embedding])

    def batch_update(
        self, words: Sequence[str], embeddings: Sequence[np.ndarray] | np.ndarray
    ) -> None:
        """Replace the vectors of words in gensim vectors, once everything is checked.

        Parameters
        ----------
        words : exact keys; of a repeated word the last vector counts.
        embeddings : as many arrays (dims,) of the type of the model's vectors, or the rows of one
            array.

        Raises
        ------
        TypeError : the vectors of the model are read from disk.
        ValueError : an unknown word; other than a vector of the model's length for each word;
            vectors mapped into memory for reading alone.
        """
        matrix = self._writable()
        # A copy, because the new vectors may be views of the rows to be replaced.
        new = np.array(embeddings, dtype=matrix.dtype)
        if new.shape != (len(words), self.wv.vector_size):
            expected = f"({len(words)}, {self.wv.vector_size})"
            raise ValueError(f"the vectors of {len(words)} words are {expected}, got {new.shape}")
        if unknown := [word for word in words if word not in self.wv.key_to_index]:
            raise ValueError(f"the model has no row of {', '.join(map(str, unknown))}")
        for word, vector in zip(words, new, strict=True):
            matrix[self.wv.key_to_index[word]] = vector
        self.wv.norms = None  # gensim's cache of lengths

    def _writable(self) -> np.ndarray:
        if callable(self.wv.vectors):
            raise TypeError(
                f"the vectors of {self.name!r} are read from a converted model on disk, which is "
                "never changed. Derive a model from it (derive in config/models.yaml, or "
                "fairflow.vectors.derivation), or load the vectors with gensim"
            )
        if not self.wv.vectors.flags.writeable:
            raise ValueError(f"the vectors of {self.name!r} are read-only: load without mmap")
        return self.wv.vectors

    def __repr__(self) -> str:
        return f"<WordEmbeddingModel named {self.name!r}, {len(self)} words>"


def as_model(vectors: Any, name: str | None = None) -> Any:
    """A model of gensim's KeyedVectors or of a dictionary; anything else as it is."""
    if hasattr(vectors, "key_to_index") or isinstance(vectors, Mapping):
        return WordEmbeddingModel(vectors, name)
    return vectors
