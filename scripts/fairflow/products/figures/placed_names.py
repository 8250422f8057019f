"""Names beside points, only where there is room: no name lies on another, on a point or a line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.textpath import TextPath

from fairflow.products.figures.drawing import POINTS_PER_INCH

# Points of the page: radius kept free around a mark, and the gap between mark and name.
AROUND, GAP = 1.4, 1.0
# And between two names in a line.
BETWEEN = 1.6
# Where a name may stand: side of the mark (1 right, -1 left, 0 centred), and height.
PLACES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))


def name_points(
    axes: Axes,
    points: np.ndarray,
    names: Sequence[str],
    size: float,
    taken: np.ndarray | None = None,
    **look: object,
) -> list[str]:
    """Write names beside points as far as there is room, and tell which got none.

    The limits of the axes and their place in the figure are to stay as they are.

    Parameters
    ----------
    points : in data, (n, 2), those that matter most first. names : of the first of them; the
        others only take room.
    size : of the letters, in points. taken : more places in data that are to stay free, (m, 2).
    look : keywords of a text.

    Returns
    -------
    The names without room, in their order.
    """
    figure = axes.get_figure()
    box = axes.get_position()
    room = np.array([box.width, box.height]) * figure.get_size_inches() * POINTS_PER_INCH
    on_page = _on_page(axes, points, room)
    marks = _boxes(on_page, AROUND)
    if taken is not None and len(taken):
        marks = np.vstack([marks, _boxes(_on_page(axes, taken, room), 0.4)])
    without = []
    for at, name in enumerate(names):
        others = np.delete(marks, at, axis=0)
        for place in PLACES:
            found = _box(on_page[at], place, name, size)
            inside = (found[:2] >= 0).all() and (found[2:] <= room).all()
            if inside and not _touches(found, others):
                break
        else:
            without.append(name)
            continue
        marks = np.vstack([marks, found + np.array([-BETWEEN, 0, BETWEEN, 0])])
        side = {1: "left", -1: "right", 0: "center"}[place[0]]
        x = found[0] + (found[2] - found[0]) * {"left": 0, "right": 1, "center": 0.5}[side]
        shift = (x - on_page[at, 0], (found[1] + found[3]) / 2 - on_page[at, 1])
        axes.annotate(
            name,
            tuple(points[at]),
            shift,
            textcoords="offset points",
            ha=side,
            va="center",
            fontsize=size,
            **look,
        )
    return without


@cache
def text_width(text: str, size: float) -> float:
    """Width of a line of text, in points."""
    return float(TextPath((0, 0), text, size=size).get_extents().x1) if text.strip() else 0.0


def _on_page(axes: Axes, points: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Data of linear axes to points of the page from the lower left corner: (n, 2)."""
    low = np.array([axes.get_xlim()[0], axes.get_ylim()[0]])
    high = np.array([axes.get_xlim()[1], axes.get_ylim()[1]])
    return (np.asarray(points, dtype=float) - low) / (high - low) * room


def _boxes(points: np.ndarray, around: float) -> np.ndarray:
    """Squares around points: (n, 4), left, lower, right, upper."""
    return np.hstack([points - around, points + around])


def _box(point: np.ndarray, place: tuple[int, int], name: str, size: float) -> np.ndarray:
    width, height = text_width(name, size), size
    side, level = place
    gap = GAP + AROUND
    # Beside a mark a diagonal name may come nearer to it.
    near = gap if level == 0 else 0.4 * gap
    left = {1: near, -1: -near - width, 0: -width / 2}[side]
    lower = {0: -height / 2, 1: AROUND + 0.4, -1: -AROUND - 0.4 - height}[level]
    corner = point + np.array([left, lower])
    return np.concatenate([corner, corner + np.array([width, height])])


def _touches(box: np.ndarray, others: np.ndarray) -> bool:
    apart = (box[2:] <= others[:, :2]) | (box[:2] >= others[:, 2:])
    return not apart.any(axis=1).all()
