"""Find words that first readers stumbled over, in prose alone: comments, texts, pages.

    python workflow/plain_words.py [PATH ...]

Prints each place with a better word, and fails if there is one. Names in code are not prose;
texts that models are measured with are data. A line that quotes such a word on purpose
ends in the comment `plain-words: quoted`.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLAIN = {
    r"of (which|whom|whose)": "split the sentence, or write 'whose' or 'that'",
    r"told(?! apart)|tells? of": "reported, said, given",
    r"besides?": "next to, as well as, also",
    r"(lies?|lay) (in|at|under|there|here|below|beside)": "is in, is at",
    r"(stands?|stood) (in|at|there|here|under|on|with|once|twice|beside)": "is in, is at",
    r"(comes?|came) of": "is derived from",
    r"gone": "missing, removed, elapsed",
    r"(is|are|was|were) asked (of|for|about)": "is queried, is requested",
    r"(hangs?|hung) on": "depends on",
    r"for want of": "because ... is missing",
    r"sought": "looked for",
    r"of (its|their|his|her) own": "own",
    r"(is|are|has|have|be|was|were|holds?) none": "is missing, there is no",
    r"what of": "name the thing",
    r"so many": "that many, the number of",
    r"rank open": "rank undecided",
    r"there(of|in|by)|where(of|in)": "split the sentence",
    r"(turns?|turned|turning)( \w+)? round": "reverses",
    r"lacks?(?=[.,;:)]|$)": "is missing",
    r"mend(s|ed|ing)?": "repair",
    r"manners": "settings, behaviour",
}
STUMBLES = {
    re.compile(rf"(?<![\w`/-]){words}(?![\w`])", re.I): better for words, better in PLAIN.items()
}
PROSE = (".py", ".smk", ".md", ".yaml", ".yml", ".html", ".sh", "Makefile", "Snakefile")
DATA = (
    *("config/word_sets", "config/queries", "config/sentences", "tests/data", "LICENSE"),
    "tests/oracle/decided_by_hand.yaml",
    "tests/unit/language_models/items/test_loaders_of_coreference.py",
    "tests/unit/test_plain_words.py",
)
# A value in a text, and a text without a space, which is a name.
VALUE, NAME = re.compile(r"\{[^{}\n]*\}"), re.compile(r"""[a-z]*(["'])[^\s"']*\1""", re.I)
# An item that a language model reads, in a file of queries.
ITEM = re.compile(r"\s+(- \{|(more|less): )")
QUOTED = "plain-words: quoted"


def tracked(paths: list[str]) -> list[Path]:
    """The files of the project that hold prose."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [
        Path(name)
        for name in listed
        if name.endswith(PROSE) and not name.startswith(DATA) and name != "workflow/plain_words.py"
    ]


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are read as sentences, with their numbers."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.suffix not in (".py", ".smk"):
        lines = enumerate(text.splitlines(), start=1)
        yield from (each for each in lines if not (path.suffix == ".yaml" and ITEM.match(each[1])))
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING) and not NAME.fullmatch(token.string):
            yield from enumerate(VALUE.sub("", token.string).splitlines(), start=token.start[0])


def stumbles(path: Path) -> Iterator[str]:
    """Each word of a file that has a plainer one."""
    for number, line in prose(path):
        if QUOTED in line:
            continue
        for pattern, better in STUMBLES.items():
            for found in pattern.finditer(line):
                # Also at the start of a sentence, but neither None nor TOLD.
                if found[0][1:].islower():
                    yield f"{path}:{number}: '{found[0]}': {better}"


def main() -> None:
    found = [line for path in tracked(sys.argv[1:]) for line in stumbles(path)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(f"{len(found)} places have plainer words." if found else 0)


if __name__ == "__main__":
    main()
