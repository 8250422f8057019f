"""The thumbnails of the gallery, which are committed: a panel of each figure that a run draws.

After `make run`, and `make run-lm` for figures of language models, `make thumbnails` writes them.
Without these results a figure keeps its thumbnail.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from PIL import Image

from building.run_figures import drawn_frames
from fairflow.products.figures import draw
from fairflow.products.figures._drawing import paper_style
from fairflow.products.figures._save_figure import save_figure

FOLDER = Path("workflow/site/thumbnails")
# Pixels, colours of a picture, and inches of the figure that it shows at most.
WIDTH, COLOURS, LARGEST = 640, 64, (5.2, 3.9)
# Inches around a panel in which its heading and poles are, if they are texts of the figure.
AROUND = 0.15
# Pixels of the figure, free on each side.
EDGE = 12


def thumbnail(figure: Figure) -> bytes:
    """The first panel of a figure with its labels, as a PNG, or what has room of it."""
    with paper_style(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figure.png")
        save_figure(figure, [path])
        box = figure.axes[0].get_tightbbox()
        pad = AROUND * figure.dpi
        near = Bbox.from_extents(box.x0 - pad, box.y0 - pad, box.x1 + pad, box.y1 + pad)
        titles = {figure.get_suptitle(), figure.get_supylabel()}
        boxes = [t.get_window_extent() for t in figure.texts if t.get_text() not in titles]
        box = Bbox.union([box, *(one for one in boxes if near.contains(*one.get_points().mean(0)))])
        with Image.open(path) as image:
            left, top = (max(0, int(edge) - EDGE) for edge in (box.x0, image.height - box.y1))
            ends = box.x1 + EDGE, image.height - box.y0 + EDGE
            room = (at + most * figure.dpi for at, most in zip((left, top), LARGEST, strict=True))
            right, bottom = map(int, map(min, ends, image.size, room))
            small = image.crop((left, top, right, bottom))
            small.thumbnail((WIDTH, WIDTH), Image.Resampling.LANCZOS)
            small = small.convert("RGB").quantize(COLOURS)
    buffer = io.BytesIO()
    small.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def write_thumbnails(root: Path) -> None:
    """Write those of the figures that the results of this project can show."""
    written = set()
    for name, frames in drawn_frames(root):
        if name not in written:
            (root / FOLDER / f"{name}.png").write_bytes(thumbnail(draw(name, frames)))
            written.add(name)


if __name__ == "__main__":
    write_thumbnails(Path())
