"""Fonts for letters that the shipped ones do not have, and words that no font can draw."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

# matplotlib's boxes for letters without a font.
_NO_FONT = "Last Resort"


def give_letters(figure: Figure) -> list[str]:
    """Add fonts of this machine to texts with letters that are not in their fonts.

    Other texts keep their fonts, so that they look the same on every machine.

    Returns
    -------
    The words with letters that no font has, each once.
    """
    texts = [text for text in _texts(figure) if not text.get_text().isascii()]
    own = {text: _own_letters(tuple(text.get_fontfamily())) for text in texts}
    lacking = {text: {c for c in text.get_text() if not c.isspace()} - own[text] for text in texts}
    missing = set().union(*lacking.values())
    added = []
    for name, path in _other_fonts() if missing else ():
        if drawn := missing & _letters(path):
            added.append(name)
            missing -= drawn
        if not missing:
            break
    for text, letters in lacking.items():
        if letters:
            text.set_fontfamily([*text.get_fontfamily(), *added])
    words = (word for text in texts for word in text.get_text().split())
    return list(dict.fromkeys(word for word in words if missing.intersection(word)))


def _texts(figure: Figure) -> Iterator[Text]:
    for axes in figure.axes:
        # Labels at ticks have no text before they are got.
        axes.get_xticklabels()
        axes.get_yticklabels()
    yield from figure.findobj(Text)


@cache
def _own_letters(families: tuple[str, ...]) -> frozenset[str]:
    paths = (font_manager.findfont(family) for family in families)
    return frozenset().union(*map(_letters, paths))


@cache
def _letters(path: str) -> frozenset[str]:
    return frozenset(map(chr, FT2Font(path).get_charmap()))


@cache
def _other_fonts() -> list[tuple[str, str]]:
    """(family, path) of the upright regular fonts of the machine, sans-serif ones first."""
    # matplotlib keeps the list of fonts that it made when it ran for the first time.
    listed = {font.fname for font in font_manager.fontManager.ttflist}
    for path in sorted({*font_manager.findSystemFonts()} - listed):
        # As of emoji in colours, which it does not draw.
        with suppress(OSError, RuntimeError, NotImplementedError):
            font_manager.fontManager.addfont(path)
    fonts = {
        font.name: font.fname
        for font in font_manager.fontManager.ttflist
        if font.style == "normal" and str(font.weight) in ("400", "normal", "regular", "book")
    }
    names = (name for name in fonts if not name.startswith(_NO_FONT))
    by_taste = sorted(names, key=lambda n: (not n.startswith("Noto Sans"), "Serif" in n, n))
    return [(name, fonts[name]) for name in by_taste]
