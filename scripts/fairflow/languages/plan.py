"""What a study says of grammatical gender: queries that may measure it, and models without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml
from fairflow.planning.extension import Extension
from fairflow.planning.queries import PlannedQuery
from fairflow.planning.study import Study
from fairflow.queries.languages import without_script

# Files of word sets with nouns of things by their gender.
_NOUNS_BY_GENDER = "inanimate_nouns_"


class Languages(Extension):
    """Queries that may measure grammar."""

    def asked(self, study: Study) -> dict[str, Any]:
        """Query -> its language, where it may measure grammar; and the models without gender.

        These show the associations of the models that they are derived from again.
        """
        queries = study.entries.queries
        asked = {name: queries[name] for name in (*study.queries, *study.controls)}
        gendered = {
            name: query.language
            for name, query in asked.items()
            if isinstance(query, PlannedQuery)
            and may_measure_grammar(query.language, [*query.targets, *query.attributes])
        }
        models = study.entries.models
        derived = {name: models[name].entry.get("derive", {}) for name in study.models}
        without_gender = {
            name: entry["from"]
            for name, entry in derived.items()
            if any(str(group).startswith(_NOUNS_BY_GENDER) for group in entry.get("groups", ()))
        }
        return {"gendered": gendered, "again": without_gender}


def may_measure_grammar(language: str, sets: Iterable[str]) -> bool:
    """Whether a query in a language with grammatical gender has sets that name men or women.

    Parameters
    ----------
    language : a BCP 47 tag. sets : the names of the sets of the query.
    """
    known = _known()
    own = tuple(known["gendered"].get(without_script(language), ()))
    # \W would cut words of scripts in which marks are letters.
    words = [word for name in sets for word in re.split(r"[\s\d_'\u2019/-]+", name.lower())]
    return bool(own) and any(w in known["english_for_gender"] or w.startswith(own) for w in words)


@cache
def _known() -> Mapping[str, Any]:
    return read_yaml(Path(__file__).with_name("grammar.yaml"))


EXTENSION = Languages()
