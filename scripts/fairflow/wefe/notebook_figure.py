"""A figure of matplotlib with the methods of those that WEFE returns."""

from __future__ import annotations

import base64
import html
import os
import sys
import tempfile
import warnings
import webbrowser
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The small text of a printed figure is read on a screen at this size.
PIXELS_PER_INCH = 120
SCREEN_SCALE = 2
PRINT_SCALE = 3


class NotebookFigure:
    """What a plotting function returns: the last line of a notebook's cell shows it.

    WEFE returns figures of plotly; `show`, `write_image`, `to_image`, `write_html`, `to_html` and
    `update_layout` do here what they do there. Every other public attribute is that of the figure
    of matplotlib.

    Attributes
    ----------
    figure : the figure of matplotlib.
    description : what a reader is told who cannot see it.
    """

    def __init__(self, figure: Figure, description: str) -> None:
        self.figure = figure
        self.description = description

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "figure":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.figure, name)

    def __repr__(self) -> str:
        return f"<{self.description}; show() or write_image(file) makes it visible>"

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        """The picture that a notebook shows, and its size there."""
        width, height = (round(PIXELS_PER_INCH * inches) for inches in self._inches())
        return self.to_image(scale=SCREEN_SCALE), {
            "width": width,
            "height": height,
            "alt": self.description,
        }

    def show(self, *_: Any, **__: Any) -> None:
        """Show the figure in the notebook, or else in a browser.

        Without a screen it is written to a file, whose name is printed. Arguments of plotly's
        `show`, a renderer for example, are taken and have no effect.
        """
        if _in_notebook():
            from IPython.display import display

            display(self)
            return
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False) as file:
            file.write(self.to_html())
        if not (_has_screen() and webbrowser.open(Path(file.name).as_uri())):
            print(f"There is no screen to show a figure on; it is in {file.name}")

    def to_image(
        self,
        format: str = "png",
        width: float | None = None,
        height: float | None = None,
        scale: float = PRINT_SCALE,
    ) -> bytes:
        """The picture as bytes.

        Parameters
        ----------
        format : "png", "svg", "pdf", "jpeg" or another one of matplotlib's.
        width, height : in pixels of a screen; each the figure's own by default.
        scale : pixels of the file per pixel of a screen.
        """
        buffer = BytesIO()
        self._write(buffer, format, (width, height), scale)
        return buffer.getvalue()

    def write_image(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        format: str | None = None,
        width: float | None = None,
        height: float | None = None,
        scale: float = PRINT_SCALE,
    ) -> None:
        """Write the picture to a file; `format` is by default that of the file's name.

        The other parameters are those of `to_image`.
        """
        if format is None:
            suffix = "" if hasattr(file, "write") else Path(file).suffix
            format = suffix.removeprefix(".") or "png"
        self._write(file, format, (width, height), scale)

    def to_html(self, *_: Any, **__: Any) -> str:
        """A page that holds the picture."""
        picture = base64.b64encode(self.to_image(scale=SCREEN_SCALE)).decode()
        width = round(PIXELS_PER_INCH * self._inches()[0])
        title = html.escape(self.description)
        return (
            f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
            f'<img width="{width}" alt="{title}" src="data:image/png;base64,{picture}"></html>\n'
        )

    def write_html(self, file: str | os.PathLike[str], *_: Any, **__: Any) -> None:
        """Write the page of `to_html` to a file."""
        Path(file).write_text(self.to_html(), encoding="utf-8")

    def update_layout(self, **layout: Any) -> NotebookFigure:
        """Change the figure's `width` and `height`, in pixels of a screen, or its `title`.

        What else plotly's layouts have is left alone, with a UserWarning.
        """
        before = self._inches()
        sizes = (layout.pop(name, None) for name in ("width", "height"))
        width, height = (pixels and pixels / PIXELS_PER_INCH for pixels in sizes)
        self.figure.set_size_inches(width or before[0], height or before[1])
        title = layout.pop("title", None)
        if title is not None:
            self.figure.suptitle(title["text"] if isinstance(title, dict) else title)
        if layout:
            names = ", ".join(layout)
            warnings.warn(f"no effect on a figure of matplotlib: {names}", UserWarning, 2)
        return self

    def _inches(self) -> tuple[float, float]:
        return tuple(self.figure.get_size_inches())

    def _write(
        self, file: Any, format: str, pixels: tuple[float | None, float | None], scale: float
    ) -> None:
        from fairflow.products.figures.drawing import paper_style

        before = self._inches()
        width, height = (pixel and pixel / PIXELS_PER_INCH for pixel in pixels)
        self.figure.set_size_inches(width or before[0], height or before[1])
        try:
            with paper_style():
                self.figure.savefig(file, format=format, dpi=PIXELS_PER_INCH * scale)
        finally:
            self.figure.set_size_inches(*before)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def _has_screen() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
