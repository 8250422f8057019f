"""Languages whose nouns have a grammatical gender, and queries with terms for men and women."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml
from fairflow.queries.language_tags import without_script


@cache
def _known() -> dict[str, Any]:
    return read_yaml(Path(__file__).with_name("gendered_languages.yaml"))


def may_measure_grammar(language: str, sets: Iterable[str]) -> bool:
    """Whether a query in a language with grammatical gender has sets that name men or women.

    Parameters
    ----------
    language : a BCP 47 tag. sets : the names of the sets of the query.
    """
    own = tuple(_known()["languages"].get(without_script(language), ()))
    # \W would cut words of scripts in which marks are letters.
    words = [word for name in sets for word in re.split(r"[\s\d_'\u2019/-]+", name.lower())]
    return bool(own) and any(w in _known()["en_names"] or w.startswith(own) for w in words)
