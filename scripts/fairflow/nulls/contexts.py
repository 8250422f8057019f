"""Words in sentences of a corpus: which sentences, their vectors, and the words of queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fairflow.nulls.ceat import associations, effects_of_draws
from fairflow.queries.query_file import read_words
from fairflow.statistics.seeds import identity_generator

# A word with fewer contexts is left out, as the draws of all words are as many as the fewest.
FEWEST = 10
# Of the authors' code.
AUTHORS_DRAWS = 1_000
_ENDS = re.compile(r"(?<=[.!?])[\"')\]\u201d\u2019]*\s+(?=[\"'(\[\u201c\u2018]*[^\W_a-z])|\n\s*\n")

# Names and words of the target and then the attribute sets of a query: two may have one name.
Sets = Sequence[tuple[str, Sequence[str]]]
# Takes sentences and, as `spans`, where the word is in each; gives `EmbeddedTexts`.
Embed = Callable[..., Any]


def read_sets(files: Iterable[str], queries: Iterable[str]) -> dict[str, Sets]:
    """Query -> its sets, from files of words."""
    read = {name: query for file in files for name, query in read_words(file).items()}
    roles = "targets", "attributes"
    return {name: [one for of in roles for one in read[name][of].items()] for name in queries}


def words_of(queries: Iterable[Sets]) -> list[str]:
    """The words of all sets, each once."""
    every = (word for sets in queries for _, words in sets for word in words)
    return list(dict.fromkeys(every))


def _pattern(words: Iterable[str]) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds words in a sentence, and the word of each form.

    A word in lower case may begin with a capital; one with capitals is written so (Bill, no bill).
    """
    forms = {word[:1].upper() + word[1:]: word for word in words} | {word: word for word in words}
    longest = sorted(map(re.escape, forms), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)"), forms


def contexts_of(
    texts: Iterable[str], words: Sequence[str], most: int, seed: int
) -> dict[str, list[str]]:
    """Word -> sentences that have it, each once, in random order and at most this number.

    Parameters
    ----------
    seed : of the draw, which depends on the word, too, and on no other word.
    """
    pattern, forms = _pattern(words)
    found: dict[str, dict[str, None]] = {word: {} for word in words}
    for text in texts:
        for sentence in (" ".join(part.split()) for part in _ENDS.split(text)):
            for form in pattern.findall(sentence):
                found[forms[form]][sentence] = None
    dealt = {word: identity_generator(seed, "contexts", word) for word in words}
    return {word: dealt[word].permutation([*of])[:most].tolist() for word, of in found.items()}


def vectors_in_contexts(
    contexts: Mapping[str, Sequence[str]], embed: Embed
) -> dict[str, np.ndarray]:
    """Word -> its vector in each sentence that could be read: (contexts, dims)."""
    vectors = {}
    for word, sentences in contexts.items():
        pattern, _ = _pattern([word])
        spans = {text: next(pattern.finditer(text)).span() for text in sentences}
        made = embed(sentences, spans=spans)
        vectors[word] = made.vectors([text for text in sentences if text in made])
    return vectors


def query_in_contexts(
    sets: Sets, vectors: Mapping[str, np.ndarray], seed: int
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What the table of a query is made from, plain values and arrays.

    Returns
    -------
    words : of each set, those with contexts enough. left_out : the others. contexts : of each word.
    reason : why there are no arrays, or "".
    associated : (draws, target words), see `crossed_effect`. effects, variances : of the authors'
    draws, each with a random context of every word.
    """
    kept = [[word for word in words if len(vectors[word]) >= FEWEST] for _, words in sets]
    told = {
        "words": [*map(len, kept)],
        "left_out": [word for word in words_of([sets]) if len(vectors[word]) < FEWEST],
        "contexts": 0,
        "reason": "",
    }
    if missing := [name for (name, _), words in zip(sets, kept, strict=True) if not words]:
        return told | {"reason": f"no word of {missing[0]} has {FEWEST} contexts"}, {}
    of_sets = [[vectors[word].astype(float) for word in words] for words in kept]
    sizes = [len(own) for words in of_sets for own in words]
    chance, shape = identity_generator(seed, "draws of contexts"), (AUTHORS_DRAWS, len(sizes))
    random = chance.integers(0, sizes, shape)
    effects, variances = effects_of_draws(associations(of_sets, random), len(kept[0]))
    arrays = {"associated": associations(of_sets), "effects": effects, "variances": variances}
    return told | {"contexts": min(sizes)}, arrays
