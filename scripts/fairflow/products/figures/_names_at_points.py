"""Names next to points, as far as there is room."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from fairflow.products.figures import _drawing as page

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
    **look: Any,
) -> list[str]:
    """Write names next to points as far as there is room; return the names that have no room.

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
    figure = axes.get_figure(root=True)
    assert figure is not None
    box = axes.get_position()
    room = np.array([box.width, box.height]) * figure.get_size_inches() * page.POINTS_PER_INCH
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
            apart = (found[2:] <= others[:, :2]) | (found[:2] >= others[:, 2:])
            if inside and apart.any(axis=1).all():
                break
        else:
            without.append(name)
            continue
        marks = np.vstack([marks, found + np.array([-BETWEEN, 0, BETWEEN, 0])])
        side = {1: "left", -1: "right", 0: "center"}[place[0]]
        x = found[0] + (found[2] - found[0]) * {"left": 0, "right": 1, "center": 0.5}[side]
        shift = (x - on_page[at, 0], (found[1] + found[3]) / 2 - on_page[at, 1])
        where = page.Look(textcoords="offset points", ha=side, va="center", fontsize=size)
        axes.annotate(name, tuple(points[at]), shift, **where, **look)
    return without


def _on_page(axes: Axes, points: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Data of linear axes to points of the page from the lower left corner: (n, 2)."""
    low, high = np.transpose([axes.get_xlim(), axes.get_ylim()])
    return (np.asarray(points, dtype=float) - low) / (high - low) * room


def _boxes(points: np.ndarray, around: float) -> np.ndarray:
    """Squares around points: (n, 4), left, lower, right, upper."""
    return np.hstack([points - around, points + around])


def _box(point: np.ndarray, place: tuple[int, int], name: str, size: float) -> np.ndarray:
    width, height = page.text_width(name, size), size
    side, level = place
    gap = GAP + AROUND
    # A name in a diagonal place may be nearer to its mark.
    near = gap if level == 0 else 0.4 * gap
    left = {1: near, -1: -near - width, 0: -width / 2}[side]
    lower = {0: -height / 2, 1: AROUND + 0.4, -1: -AROUND - 0.4 - height}[level]
    corner = point + np.array([left, lower])
    return np.concatenate([corner, corner + np.array([width, height])])
