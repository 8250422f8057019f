"""Plots are shown by the last line of a cell and kept as those of plotly are."""

import io
import struct
import sys
import types

import pytest
from matplotlib.figure import Figure

from fairflow.wefe import notebook_figure
from fairflow.wefe.notebook_figure import NotebookFigure


@pytest.fixture
def figure():
    drawn = Figure(figsize=(4, 2))
    drawn.subplots().set_title("Ranks")
    return NotebookFigure(drawn, "Bars of <two> models")


@pytest.fixture
def no_screen(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def size(png):
    """Width and height in a PNG's header."""
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


def test_a_cell_shows_the_picture_with_its_size_and_a_description(figure):
    png, facts = figure._repr_png_()
    assert facts == {"width": 480, "height": 240, "alt": "Bars of <two> models"}
    assert size(png) == (960, 480)


def test_a_picture_is_written_in_the_format_of_its_name(figure, tmp_path):
    for name, beginning in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.svg", b"<?xml")):
        figure.write_image(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(beginning)
    buffer = io.BytesIO()
    figure.write_image(buffer)
    assert size(buffer.getvalue()) == (4 * 120 * 3, 2 * 120 * 3)


def test_width_height_and_scale_are_those_of_plotly_and_hold_for_one_picture(figure):
    assert size(figure.to_image(width=1200, height=600, scale=1)) == (1200, 600)
    assert size(figure.to_image("png", 480)) == (1440, 720)
    assert tuple(figure.get_size_inches()) == (4, 2)


def test_the_layout_has_a_size_and_a_title(figure):
    assert figure.update_layout(width=600, title="Places") is figure
    assert tuple(figure.get_size_inches()) == (5, 2)
    assert figure.update_layout(height=480, title={"text": "Ranks"}).get_suptitle() == "Ranks"
    assert tuple(figure.get_size_inches()) == (5, 4)


def test_what_a_layout_of_plotly_has_beyond_that_is_named(figure):
    with pytest.warns(UserWarning, match="no effect on a figure of matplotlib: font, margin"):
        figure.update_layout(font={"size": 12}, margin=None)


def test_a_page_holds_the_picture_and_its_description(figure, tmp_path):
    figure.write_html(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert page == figure.to_html()
    assert 'alt="Bars of &lt;two&gt; models" src="data:image/png;base64,iVBOR' in page


def test_show_without_a_screen_names_the_file(figure, no_screen, capsys):
    figure.show()
    path = capsys.readouterr().out.split()[-1]
    with open(path, encoding="utf-8") as file:
        assert file.read() == figure.to_html()


@pytest.mark.parametrize("opened", [True, False])
def test_show_opens_a_browser_where_there_is_a_screen(figure, monkeypatch, capsys, opened):
    asked = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(notebook_figure.webbrowser, "open", lambda uri: asked.append(uri) or opened)
    figure.show(renderer="browser")
    assert asked[0].startswith("file:///")
    assert bool(capsys.readouterr().out) is not opened


def test_show_in_a_notebook_displays_the_figure(figure, monkeypatch):
    shown = []
    ipython, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    display.display = shown.append
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    figure.show()
    assert shown == [figure]


def test_every_other_attribute_is_that_of_the_figure_of_matplotlib(figure, tmp_path):
    assert figure.axes[0].get_title() == "Ranks"
    figure.savefig(tmp_path / "a.png")
    with pytest.raises(AttributeError, match="no_such_thing"):
        figure.no_such_thing  # noqa: B018
    with pytest.raises(AttributeError, match="'NotebookFigure' object has no attribute '_repr"):
        figure._repr_html_  # noqa: B018


def test_a_console_says_how_to_make_it_visible(figure):
    assert repr(figure) == "<Bars of <two> models; show() or write_image(file) makes it visible>"
