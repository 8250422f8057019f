"""Write a figure to files that are byte-identical between runs, in fonts that have its letters."""

import io
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text
from PIL import Image

from fairflow.files.atomic import atomic_path
from fairflow.products.figures._drawing import paper_style

DPI = 300
# Digits of a place, in shares of the page: a millionth of a point.
PLACES = 9
# How many words without letters are named.
NAMED = 5
# Fastest of the levels that still shrink what is mostly white; a pixel's colour needs no opacity.
PNG = {"compress_level": 3, "dpi": (DPI, DPI)}
# None leaves the entry out: dates and versions would differ between equal figures.
PDF_METADATA = {"Creator": None, "Producer": None, "CreationDate": None}
SVG_METADATA = {"Creator": None, "Date": None}


def save_figure(figure: Figure, paths: Sequence[str | Path], caption: str = "") -> None:
    """Write the figure once per path (.pdf, .svg or .png at 300 dpi).

    PDF and SVG carry the caption in their metadata; `caption_in` reads it from the SVG.

    It is laid out once, so that everything has the same place in every format.
    Each file appears whole or not at all; equal figures give equal bytes.
    """
    with paper_style(), warnings.catch_warnings():
        # One warning names the words; matplotlib has one for each letter and drawing.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.set_dpi(DPI)
        FigureCanvasAgg(figure)
        if lost := give_letters(figure):
            sentence = _without_letters(lost)
            logger.warning(sentence)
            caption = f"{caption} {sentence}".strip()
        # The solver places everything, and is sent home: each drawing would ask it again.
        if engine := figure.get_layout_engine():
            engine.execute(figure)
            figure.set_layout_engine("none")
            # It finds places whose last digit differs from run to run; an SVG is named after it.
            for axes in figure.axes:
                x, y, w, h = (
                    round(side, PLACES) for side in axes.get_position(original=True).bounds
                )
                axes.set_position((x, y, w, h), which="original")
        for path in map(Path, paths):
            figure.set_dpi(DPI)
            with atomic_path(path) as temporary:
                WRITERS[path.suffix](figure, temporary, caption)


def png_of(figure: Figure) -> bytes:
    """The picture for a screen, as a notebook shows it."""
    whole = io.BytesIO()
    with paper_style():
        FigureCanvasAgg(figure).print_png(whole, metadata={"Software": None})
    return whole.getvalue()


def _without_letters(words: Sequence[str]) -> str:
    few = ", ".join(words[:NAMED])
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return (
        f"No font of this machine has the letters of {few}{more}: they are drawn as boxes. Install "
        "a font of their script, such as Noto Sans (Debian: fonts-noto-core, fonts-noto-cjk), "
        "delete the files of this figure, and run again."
    )


def _write_pdf(figure: Figure, path: Path, caption: str) -> None:
    # In memory first: the backend does not close a file that it could not write.
    whole = io.BytesIO()
    FigureCanvasPdf(figure).print_pdf(whole, metadata=PDF_METADATA | {"Subject": caption or None})
    path.write_bytes(whole.getvalue())


def _write_svg(figure: Figure, path: Path, caption: str) -> None:
    metadata = SVG_METADATA | {"Description": caption or None}
    FigureCanvasSVG(figure).print_svg(str(path), metadata=metadata)


def _write_png(figure: Figure, path: Path, _: str) -> None:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").save(path, format="png", **PNG)


logger = logging.getLogger(__name__)

WRITERS = {".pdf": _write_pdf, ".svg": _write_svg, ".png": _write_png}


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
