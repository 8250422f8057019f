"""What an answer says to its reader: without traces of reasoning, tags and marks of formatting."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from fairflow.files.configuration_files import read_yaml

_PATTERNS = read_yaml(Path(__file__).with_name("answer_patterns.yaml"))
_QUOTES = str.maketrans("\u2018\u2019\u201b\u02bc\u201c\u201d\u201e\xab\xbb", "''''" + '"' * 5)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """An entry of `answer_patterns.yaml`."""
    return re.compile(_source(name), re.I)


def has(name: str, text: str) -> bool:
    """Whether the pattern of that name occurs in a text."""
    return bool(pattern(name).search(text))


def _source(name: str) -> str:
    entry = _PATTERNS[name]
    either = "|".join(entry) if isinstance(entry, list) else entry
    return f"(?:{re.sub('@([a-z_]+)', lambda other: _source(other[1]), either)})"


def without_trace(text: str) -> str:
    """An answer without traces of reasoning: blocks whose name means thinking, nested or cut."""
    text = pattern("entity").sub(lambda found: html.unescape(found[0]), text)
    _, *channels = pattern("channel").split(text)
    if channels:
        pairs = zip(channels[::2], channels[1::2], strict=True)
        text = "\n".join(said for name, said in pairs if name == "final")
    elif pattern("unmarked").match(text):
        text = text.partition("assistantfinal")[2]
    return _without_blocks(
        pattern("fenced").sub("\n", text), lambda tag: has("thought", tag["name"])
    )


def _without_blocks(text: str, hidden: Callable[[re.Match[str]], bool]) -> str:
    """A text without the blocks whose beginning and end are hidden.

    An end without its beginning ends what was begun in the prompt; a block without end goes on.
    """
    kept: list[str] = []
    inside: list[str] = []
    start = 0
    for tag in filter(hidden, pattern("block").finditer(text)):
        # "thinking" ends "think".
        thought = pattern("thought").search(tag["name"])
        name = (thought[0] if thought else tag["name"]).lower()
        kept += [] if inside else [text[start : tag.start()]]
        start = tag.end()
        if not tag["end"]:
            inside += [] if name in inside else [name]
        elif name in inside:
            del inside[inside.index(name) :]
        else:
            kept.clear()
    return "\n".join(kept + ([] if inside else [text[start:]]))


def spoken_text(text: str, names: Collection[str]) -> str:
    """A plain text of what an answer says to its reader.

    Answers in blocks and boxes are announced as "Answer: "; what is struck out, in a block whose
    name is unknown, or in JSON the value of a key that means thinking, is not said.

    Parameters
    ----------
    names : what is no name of a block, as it may be an answer: "<yes>"; in lower case.
    """
    text = pattern("struck").sub(" ", without_trace(text))
    ended = {tag["name"].lower() for tag in pattern("block").finditer(text) if tag["end"]}

    def answers(name: str) -> bool:
        return has("answer", name) and not has("no_answer", name.replace("_", " "))

    def unknown(tag: re.Match[str]) -> bool:
        name = tag["name"].lower()
        block = name in ended or (tag["open"] == "<" and not tag["special"])
        return block and not (name in names or answers(name) or pattern("form").fullmatch(name))

    def announced(tag: re.Match[str]) -> str:
        name = tag["name"].lower()
        if answers(name) and name not in names and (name in ended or not tag["special"]):
            return "\n" if tag["end"] else "\nAnswer: "
        return "\n" if tag["special"] else tag[0]

    text = pattern("block").sub(announced, _without_blocks(text, unknown))
    text = pattern("thought_key").sub(" ", text.replace("\\n", "\n")).replace("_", " ")
    text = plain_text(pattern("latex").sub(" ", pattern("boxed").sub(" answer: ", text)))
    return pattern("quotes").sub('"', text if text.isascii() else pattern("scripts").sub(" ", text))


def plain_text(text: str) -> str:
    """A text in one form of its characters (NFKC), without tags and marks of formatting.

    There is no space around lines, and no empty line between them.
    """
    text = pattern("tag").sub(" ", pattern("line_tag").sub("\n", text))
    text = pattern("accents").sub(
        " ", pattern("entity").sub(lambda found: html.unescape(found[0]), text)
    )
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    lines = pattern("controls").sub(" ", pattern("marks").sub("", text)).splitlines()
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
