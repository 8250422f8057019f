"""Panels of words in the columns of a page: how high each is, and how many words fit."""

from __future__ import annotations

from collections.abc import Sequence

from fairflow.products.figures.drawing import DOUBLE_COLUMN
from fairflow.products.figures.names import wrapped_query
from fairflow.products.figures.study_frames import first_queries
from fairflow.products.figures.word_panels import WordPanel

COLUMNS = 4
FULL = DOUBLE_COLUMN / COLUMNS
# Inches: a word, a line of text, ticks, what parts panels.
PITCH, LINE, TICKS, GAP = 0.0875, 0.1, 0.13, 0.14
TITLE_WIDTH, POLE_WIDTH = 32, 34
# Of a longer list only both ends are drawn, of as many words as a page has room for.
WORDS = (40, 30, 24, 20, 16, 14, 12, 10, 8, 6)
# More lost words than these are counted.
MOST_LOST = 2
Pages = tuple[dict[str, list[str]], list[list[WordPanel]]]


def title(panel: WordPanel) -> str:
    """The label of the query in lines; of its targets alone if its poles are named."""
    targets, _, attributes = panel.title.partition(" wrt ")
    name = "".join(attributes.partition(" [")[1:])
    return wrapped_query(targets + name if panel.poles else panel.title, TITLE_WIDTH)


def lost_rows(panel: WordPanel) -> list[str]:
    """The words that the model lacks, or how many."""
    names = [word.word for word in panel.lost]
    return names if len(names) <= MOST_LOST else [f"{len(names)} words"]


def pole_lines(panel: WordPanel) -> list[str]:
    """The poles below the axis: on one line, of which each takes an end, or on a line each."""
    if not panel.poles:
        return []
    left, right = f"\N{LEFTWARDS ARROW} {panel.poles[0]}", f"{panel.poles[1]} \N{RIGHTWARDS ARROW}"
    gap = POLE_WIDTH - len(left) - len(right)
    return [left, right] if gap < 0 else [left + "\n" + right]


def n_rows(panel: WordPanel) -> int:
    """Words, one line for those between, and the lost ones."""
    return len(panel.words) + (panel.between > 0) + len(lost_rows(panel))


def panel_height(panel: WordPanel) -> float:
    """Inches."""
    lines = title(panel).count("\n") + 1 + len(pole_lines(panel))
    return GAP + LINE * lines + PITCH * n_rows(panel) + TICKS


def that_fit(every: dict[str, list[str]], panels: Sequence[WordPanel], limit: float) -> Pages:
    """The queries that a page holds, and their panels in columns of about equal height.

    All queries come first, then as many words of each as there is room for.
    """
    for most in WORDS:
        columns = _columns([panel.ends(most) for panel in panels], limit)
        if columns:
            return every, columns
    shortest = [panel.ends(WORDS[-1]) for panel in panels]
    for n in range(sum(map(len, every.values())), 0, -1):
        shown = first_queries(every, n)
        queries = [query for queries in shown.values() for query in queries]
        columns = _columns([p for q in queries for p in shortest if p.query == q], limit)
        if columns:
            return shown, columns
    return first_queries(every, 1), [shortest[:1]]


def _columns(panels: Sequence[WordPanel], limit: float) -> list[list[WordPanel]]:
    """As few inches high as possible; none if these panels do not fit."""
    heights = [panel_height(panel) for panel in panels]
    height = max(heights)
    while height <= limit:
        columns = _flow(panels, heights, height)
        if len(columns) <= COLUMNS:
            return columns
        height += 0.05
    return []


def _flow(
    panels: Sequence[WordPanel], heights: Sequence[float], height: float
) -> list[list[WordPanel]]:
    columns: list[list[WordPanel]] = [[]]
    filled = 0.0
    for panel, needed in zip(panels, heights, strict=True):
        if columns[-1] and filled + needed > height + 1e-9:
            columns.append([])
            filled = 0.0
        columns[-1].append(panel)
        filled += needed
    return columns
