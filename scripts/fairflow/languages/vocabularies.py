"""The language of the vectors of a file, and the tests of a language."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from fairflow.errors import FairflowError
from fairflow.languages.detection import language_of
from fairflow.planning.models import Model
from fairflow.queries.languages import ENGLISH, FoundLanguage, language_name, same_language
from fairflow.vectors.convert import words_of_file

CRITERION = "WEAT"
# The usual controls in another language.
CONTROLS_IN = ("weathub_{language}_weat1", "weathub_{language}_weat2")


def language_of_file(
    model: Model, word_sets: Mapping[str, Mapping[str, Any]], prefix: str | None = None
) -> FoundLanguage:
    """See `fairflow.planning.languages`; by the word sets whose file names a language."""
    lists: dict[str, list[str]] = {}
    for contents in word_sets.values():
        if tag := contents.get("language"):
            sets = contents["sets"].values()
            lists.setdefault(tag, []).extend(w for entry in sets for w in entry.get("words", ()))
    if lists.keys() <= {ENGLISH}:
        return FoundLanguage(ENGLISH)
    with closing(words_of_file(model.file, model.conversion)) as words:
        found = language_of(words, lists, prefix)
    if found.tag is None:
        raise FairflowError(" ".join(found.sentences))
    return found


def preset_in(
    language: str, preset: Mapping[str, Any], queries: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """See `fairflow.planning.languages`; the language is not English."""
    # zh means zh-Hans, if these are the only lists.
    files = [one for one in queries.values() if same_language(one.get("language", ""), language)]
    names = [name for one in files for name in one["queries"]]
    if not names:
        known = {ENGLISH, *(tag for one in queries.values() if (tag := one.get("language")))}
        raise FairflowError(
            f"there are no queries in {language_name(language)}, only in "
            f"{', '.join(map(language_name, sorted(known)))}. Add a file of word sets and one of "
            f"queries with 'language: {language}', as the page 'Your language' does"
        )
    lookup = files[0].get("lookup", "as_written")
    return {**preset, "criteria": {CRITERION: names}, "lookup": lookup}
