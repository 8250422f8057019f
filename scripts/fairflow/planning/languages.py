"""Languages of files and tests: by itself English alone, others are those of a capability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fairflow.capabilities import extensions
from fairflow.errors import FairflowError
from fairflow.planning.models import Model
from fairflow.queries.languages import ENGLISH, FoundLanguage, language_name, same_language


def language_of_file(
    model: Model, word_sets: Mapping[str, Mapping[str, Any]], prefix: str | None = None
) -> FoundLanguage:
    """The language of the vectors of a file.

    Parameters
    ----------
    word_sets : the contents of the files of config/word_sets, by their stems.
    prefix : before each word of the file.

    Raises
    ------
    FairflowError : no language fits, or several do.
    """
    for one in extensions("vocabularies"):
        return one.language_of_file(model, word_sets, prefix)
    return FoundLanguage(ENGLISH)


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
    for one in extensions("vocabularies"):
        return one.preset_in(language, preset, queries)
    raise FairflowError(f"nothing here has tests in {language_name(language)}")


def controls_in(language: str) -> Iterator[str]:
    """The names of the usual controls in another language than English."""
    for one in extensions("vocabularies"):
        yield from (name.format(language=language) for name in one.CONTROLS_IN)
