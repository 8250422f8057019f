"""Tags of languages by BCP 47: whether two name one language, and its list of word frequencies."""

from __future__ import annotations

# Other tags of a language.
_ALIASES = {"fil": "tl", "nb": "no", "iw": "he", "in": "id"}
# Languages that wordfreq has under another code.
_CODES = {"tl": "fil", "no": "nb", "bs": "sh", "hr": "sh", "sr": "sh"}
# The languages that wordfreq 3 has lists of.
_LISTED = (
    "ar bg bn ca cs da de el en es fa fi fil fr he hi hu id is it ja ko lt lv mk ms nb nl pl pt ro "
    "ru sh sk sl sv ta tr uk ur vi zh"
)


def same_language(first: str, second: str) -> bool:
    """Whether two tags name one language, in one script where both name a script.

    Regions do not matter: words of British English are put to a model of American English.
    """
    languages, scripts = zip(_parts(first), _parts(second), strict=True)
    return len({*languages}) == 1 and len({*scripts} - {""}) < 2


def frequency_list(tag: str) -> str | None:
    """The code of a language in wordfreq; None if it has no list of it."""
    language, _ = _parts(tag)
    code = _CODES.get(language, language)
    return code if code in _LISTED.split() else None


def without_script(tag: str) -> str:
    """The language of a tag alone: zh of zh-Hans, and tl of fil, its other name."""
    return _parts(tag)[0]


def _parts(tag: str) -> tuple[str, str]:
    """The language and the script, which has four letters, in lower case; "" without a script."""
    language, *others = tag.lower().split("-")
    script = next((part for part in others if len(part) == 4 and part.isalpha()), "")
    return _ALIASES.get(language, language), script
