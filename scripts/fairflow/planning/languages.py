"""The language of a file of vectors, the tests of a language, and the languages of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any

from fairflow.errors import FairflowError
from fairflow.planning.models import Model
from fairflow.planning.queries import PlannedQuery
from fairflow.planning.study import Study
from fairflow.queries.languages import (
    ENGLISH,
    FoundLanguage,
    language_name,
    language_of,
    may_measure_grammar,
    same_language,
)
from fairflow.vectors.convert import copied

CRITERION = "WEAT"
# Files of word sets with nouns of things by their gender.
_NOUNS_BY_GENDER = "inanimate_nouns_"


def language_of_file(
    model: Model, word_sets: Mapping[str, Mapping[str, Any]], prefix: str | None = None
) -> FoundLanguage:
    """The language of the vectors of a file, by the word sets whose file names a language.

    Parameters
    ----------
    word_sets : the contents of the files of config/word_sets, by their stems.
    prefix : before each word of the file.

    Raises
    ------
    FairflowError : no language fits, or several do: three sentences.
    """
    lists: dict[str, list[str]] = {}
    for contents in word_sets.values():
        if tag := contents.get("language"):
            sets = contents["sets"].values()
            lists.setdefault(tag, []).extend(w for entry in sets for w in entry.get("words", ()))
    if lists.keys() <= {ENGLISH}:
        return FoundLanguage(ENGLISH)
    with closing(words_of_file(model)) as words:
        found = language_of(words, lists, prefix)
    if found.tag is None:
        raise FairflowError(" ".join(found.sentences))
    return found


def words_of_file(model: Model) -> Generator[str, None, None]:
    """The words of a file of vectors, in its order."""
    how = model.conversion
    _, records = copied(model.file, how["format"], how["packing"], how["words"])
    with closing(records):
        yield from (word for rows, _ in records for word, _, _ in rows)


def preset_in(
    language: str, preset: Mapping[str, Any], queries: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """A preset with the tests of a language instead of its queries; in English as it is.

    Parameters
    ----------
    queries : the contents of the files of config/queries, by their stems.

    Raises
    ------
    FairflowError : no query is in this language.
    """
    if same_language(language, ENGLISH):
        return dict(preset)
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


def languages_of(study: Study) -> dict[str, Any]:
    """What the conclusions of a study say of languages.

    Returns
    -------
    The settings `unspoken`, `gendered` and `without_gender` of
    `fairflow.studies.claims.claim.Results`.
    """
    models, queries = study.entries.models, study.entries.queries
    unspoken = [
        (model, models[model].languages, dict(Counter(queries[name].language for name in names)))
        for model, names in study.unspoken.items()
    ]
    asked = {name: queries[name] for name in (*study.queries, *study.controls)}
    gendered = {
        name: query.language
        for name, query in asked.items()
        if isinstance(query, PlannedQuery)
        and may_measure_grammar(query.language, [*query.targets, *query.attributes])
    }
    derived = {name: models[name].entry.get("derive", {}) for name in study.models}
    without_gender = {
        name: entry["from"]
        for name, entry in derived.items()
        if any(str(group).startswith(_NOUNS_BY_GENDER) for group in entry.get("groups", ()))
    }
    return {"unspoken": unspoken, "gendered": gendered, "without_gender": without_gender}
