"""What the figures share: style, palette, label wrapping and the empty figure."""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path

import matplotlib
import matplotlib.style
from matplotlib.artist import Artist
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch

STYLE = Path(__file__).resolve().with_name("paper.mplstyle")
SINGLE_COLUMN = 3.375
DOUBLE_COLUMN = 7.0
# Height that a page leaves to a figure and its caption.
PAGE = 9.3
POINTS_PER_INCH = 72.0
SMALL_TEXT = 6.0
# Characters of small text across two columns, and across one.
NOTE_WIDTH = 135
NARROW_NOTE = 64

# Okabe & Ito, ordered so that the first ones differ most, also in lightness.
PALETTE = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#F0E442",
    "#7F7F7F",
)
HATCHES = ("", "//////", "......", "\\\\\\\\\\\\", "xxxxx", "------", "++++", "||||||")
UNDEFINED_GREY = "#6E6E6E"
STRIPE = "#F3F3F3"


def paper_style() -> object:
    """Context in which matplotlib uses its own defaults plus the paper style, nothing else."""
    return matplotlib.style.context(STYLE, after_reset=True)


def in_paper_style(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Make a drawing function run in the paper style."""

    @wraps(draw)
    def styled(*args: object, **kwargs: object) -> Figure:
        with paper_style():
            return draw(*args, **kwargs)

    return styled


def sentence_figure(sentence: str) -> Figure:
    """A one-column figure that holds only a sentence."""
    figure = Figure(figsize=(SINGLE_COLUMN, 0.8))
    figure.text(0.5, 0.5, textwrap.fill(sentence, 52), ha="center", va="center")
    return figure


def wrapped(text: str, width: int) -> str:
    """Sentences in lines of at most `width` characters, breaking at blanks."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def bar_look(index: int) -> dict[str, str]:
    """Colour and hatch of the index-th series, as keywords of a bar or patch."""
    number = index % len(PALETTE)
    return {"facecolor": PALETTE[number], "hatch": HATCHES[number], "edgecolor": "white"}


def bar_handle(label: str, index: int) -> Patch:
    """Legend handle of the index-th series of bars."""
    return Patch(label=label, **bar_look(index))


def add_legend_with_notes(
    figure: Figure,
    handles: Sequence[Artist],
    notes: Iterable[str],
    ncols: int = 3,
    width: int = NOTE_WIDTH,
) -> None:
    """Legend under the panels, and above it what a reader must know; empty notes do not count.

    Parameters
    ----------
    width : characters of a line of notes; that of figures as wide as two columns by default.
    """
    text = "\n".join(wrapped(note, width) for note in notes if note)
    legend = figure.legend(
        handles=handles, loc="outside lower center", ncols=ncols, title=text, alignment="center"
    )
    legend.get_title().set(fontsize=SMALL_TEXT, multialignment="left")


def no_value_look() -> dict[str, str]:
    """Grey hatched patch that stands for a missing value."""
    return {"facecolor": "#E4E4E4", "hatch": "////", "edgecolor": "#A8A8A8"}


def text_colour_on(background: object) -> str:
    """Black or white, whichever reads better on the background colour."""
    red, green, blue = to_rgb(background)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
