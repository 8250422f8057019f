"""The language of a vocabulary, and what is known of languages: names, scripts, frequency lists."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from os.path import commonprefix
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml

# How many words from the start of a file are compared: where words are in the order of their
# frequency, words of other languages come later.
HEAD = 20_000
# A smaller vocabulary can be of any language, unless it has words of one alone, this many or more.
LEAST, LEAST_OWN = 500, 5
# The share of a language's own words that a head must hold. Frequent words of a language hold 50 %
# or more (Greek 29 %, Russian and Chinese 44 %), those of its relatives without lists fewer:
# Norwegian 35 % of Danish, Galician 34 % of Spanish, Ukrainian 33 % of Russian, traditional Chinese
# 28 %, Tagalog 46 % of English. Words of 42 languages hold 36 % of the few of Vietnamese.
_NEEDED = {"en": 0.55, "da": 0.45, "es": 0.45, "vi": 0.5, "ru": 0.37, "zh-Hans": 0.37}
_USUALLY_NEEDED = 0.27
# The same among all words of a file in no order of frequency.
_NEEDED_OF_ALL = 0.9
# How many times the second language's share the first one's must be.
_MARGIN = 1.5
# From this share on, the second one is a language of the file, too.
_LARGE = 0.35
_PREFIX = "name it with fairflow score --prefix {}, and for an audit save the words without it."


@dataclass(frozen=True)
class FoundLanguage:
    """What the words of a file say about its language.

    Attributes
    ----------
    tag : of the language, None if none or several fit.
    sentences : one that names the language, or three that say why none is named; () for few words.
    """

    tag: str | None
    sentences: tuple[str, ...] = ()


def language_of(
    words: Iterable[str], lists: Mapping[str, Collection[str]], prefix: str | None = None
) -> FoundLanguage:
    """The language of a vocabulary. No more words are read than are needed.

    Names, numbers and loan words do not decide: words are compared that only one language has.

    Parameters
    ----------
    words : of a file, in its order. lists : BCP 47 tag -> the words of its lists.
    prefix : before each word of the vocabulary.
    """
    own = own_words(lists)
    owned = frozenset().union(*own.values())
    forms = (_form(word.removeprefix(prefix or "")) for word in words)
    first = list(islice(forms, HEAD))
    held = set(owned.intersection(first))
    shares = _shares(held, own)
    if len(first) < LEAST:
        alone = [tag for tag, share in shares if share]
        if len(alone) == 1 and alone != [ENGLISH] and len(held) >= LEAST_OWN:
            told = f"the words have {len(held)} of its lists, and none of another language's"
            return FoundLanguage(alone[0], (f"The language is {language_name(alone[0])}: {told}.",))
        return FoundLanguage(ENGLISH, _of_few(shares, len(first)))
    head = _decided(shares, len(first), in_order=True)
    # A file in alphabetical order may begin with the foreign words in Latin letters.
    alphabetical = first[::1000] == sorted(first[::1000])
    if head.tag and not alphabetical:
        return head
    in_head, count = len(held), len(first)
    for form in forms:
        count += 1
        if form in owned:
            held.add(form)
    # In no order of frequency, the head holds its part of the words and no more.
    evenly = in_head <= len(held) * math.sqrt(HEAD / count)
    if count <= 2 * HEAD or not (alphabetical or evenly):
        return head
    return _decided(_shares(held, own), count, in_order=False)


def mark_of_all(words: Sequence[str]) -> str | None:
    """A sentence on a mark with which every word begins or ends; None without one.

    Parameters
    ----------
    words : some of a vocabulary; fewer than 10 tell nothing.
    """
    start = re.match(r".*[\W_]", commonprefix(words), re.DOTALL)  # noqa: RUF071
    if start and len(words) > 10:
        return f"Every word begins with {start[0]!r}: {_PREFIX.format(start[0])}"
    marks = [re.search(r"[_/|#]\w+$", word) for word in words]
    ends = {mark[0] for mark in marks if mark}
    if None in marks or 5 * len(ends) > len(words):
        return None
    return f"Every word ends in a mark ({', '.join(sorted(ends)[:3])}): save the words without it."


def own_words(lists: Mapping[str, Collection[str]]) -> dict[str, frozenset[str]]:
    """The single words of each language that no other has, composed (NFC), in lower case."""
    forms = {
        tag: {_form(word) for word in words if " " not in word} for tag, words in lists.items()
    }
    uses = Counter(form for one in forms.values() for form in one)
    own = {tag: frozenset(f for f in one if uses[f] == 1) for tag, one in forms.items()}
    return {tag: one for tag, one in own.items() if one}


def _form(word: str) -> str:
    if word.isascii():
        return word.lower()
    # İ, which only Turkish and its relatives have, is i there: Unicode's rule adds a dot.
    return unicodedata.normalize("NFC", word).replace("İ", "i").lower()


def _shares(held: set[str], own: Mapping[str, frozenset[str]]) -> list[tuple[str, float]]:
    shares = {tag: len(held & forms) / len(forms) for tag, forms in own.items()}
    return sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))


def _of_few(shares: list[tuple[str, float]], count: int) -> tuple[str, ...]:
    """A sentence if words that are too few to decide are rather of another language."""
    best, share = shares[0]
    if not share or best == ENGLISH:
        return ()
    known = f"they look like {language_name(best)}, but {LEAST} are needed to tell"
    return (f"The {count} words are taken for English: {known}; {_name_it(shares)}.",)


def _name_it(shares: list[tuple[str, float]]) -> str:
    known = ", ".join(sorted(tag for tag, _ in shares))
    return f"name yours with --language TAG (make: LISTS=TAG), one of {known}"


def _decided(shares: list[tuple[str, float]], count: int, in_order: bool) -> FoundLanguage:
    (best, share), *others = shares
    second = others[0][1] if others else 0.0
    seen = f"{'The first' if in_order and count >= HEAD else 'The'} {count:,} words"
    told = f"{seen} have {share:.0%} of the words that only the {language_name(best)} lists have"
    others_told = " and ".join(f"{more:.0%} of {language_name(tag)}" for tag, more in others[:2])
    told = f"{told}, and {others_told}" if others_told else told
    # The smallest share of a language's own words in a vocabulary of that language.
    needed = _NEEDED.get(best, _USUALLY_NEEDED) * math.sqrt(min(count, HEAD) / HEAD)
    needed = needed if in_order else _NEEDED_OF_ALL
    unclear = share < _MARGIN * second
    if share >= needed and unclear and second >= _LARGE:
        why = "Several languages fit these vectors: a mixture, or words in no order of frequency"
        advice = "Each language has its own tests"
    elif share < needed or unclear:
        told = f"{told}; {needed:.0%} are needed, and {_MARGIN:g} times those of the next language"
        why = "No language of the word lists fits these vectors"
        advice = "Add lists of your own, or, if the vectors are of a language with lists"
        if not share:
            prefixed = "If each word has a prefix, as in /c/fr/nom, "
            told = f"{seen} have 0 words of the lists"
            return FoundLanguage(
                None, (f"{why}.", f"{told}.", f"{prefixed}{_PREFIX.format('/c/fr/')}")
            )
    else:
        return FoundLanguage(best, (f"The language is {language_name(best)}: t{told[1:]}.",))
    return FoundLanguage(None, (f"{why}.", f"{told}.", f"{advice}: {_name_it(shares)}."))


ENGLISH = "en"


@cache
def _known(what: str) -> Any:
    return read_yaml(Path(__file__).with_name("languages.yaml"))[what]


def language_name(tag: str) -> str:
    """The English name of a language and its BCP 47 tag, `French (fr)`."""
    name = _known("names").get(tag.partition("-")[0])
    return f"{name} ({tag})" if name else tag


def same_language(first: str, second: str) -> bool:
    """Whether two tags name one language, in one script where both name a script.

    Regions do not matter: words of British English are put to a model of American English.
    """
    languages, scripts = zip(_parts(first), _parts(second), strict=True)
    return len({*languages}) == 1 and len({*scripts} - {""}) < 2


def frequency_list(tag: str) -> str | None:
    """The code of a language in wordfreq; None if it has no list of it."""
    language = without_script(tag)
    code = _known("codes_in_wordfreq").get(language, language)
    return code if code in _known("frequency_lists") else None


def without_script(tag: str) -> str:
    """The language of a tag alone: zh of zh-Hans, and tl of fil, its other name."""
    return _parts(tag)[0]


def _parts(tag: str) -> tuple[str, str]:
    """The language and the script, which has four letters, in lower case; "" without a script."""
    language, *others = tag.lower().split("-")
    script = next((part for part in others if len(part) == 4 and part.isalpha()), "")
    return _known("aliases").get(language, language), script


def may_measure_grammar(language: str, sets: Iterable[str]) -> bool:
    """Whether a query in a language with grammatical gender has sets that name men or women.

    Parameters
    ----------
    language : a BCP 47 tag. sets : the names of the sets of the query.
    """
    own = tuple(_known("gendered").get(without_script(language), ()))
    # \W would cut words of scripts in which marks are letters.
    words = [word for name in sets for word in re.split(r"[\s\d_'\u2019/-]+", name.lower())]
    return bool(own) and any(w in _known("english_for_gender") or w.startswith(own) for w in words)
