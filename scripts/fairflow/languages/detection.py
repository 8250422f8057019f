"""The language of a vocabulary, by the words that only the lists of one language have."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from fairflow.queries.languages import ENGLISH, PREFIX, FoundLanguage, language_name

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
                None, (f"{why}.", f"{told}.", f"{prefixed}{PREFIX.format('/c/fr/')}")
            )
    else:
        return FoundLanguage(best, (f"The language is {language_name(best)}: t{told[1:]}.",))
    return FoundLanguage(None, (f"{why}.", f"{told}.", f"{advice}: {_name_it(shares)}."))
