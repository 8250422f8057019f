"""A class is registered by its file."""

import sys

import pytest

from fairflow.errors import ConfigurationError
from fairflow.files.registry import Registry

BASE = "class Shape:\n    pass\n"
SQUARE = "from shapes.shape import Shape\nclass Square(Shape):\n    pass\n"


@pytest.fixture
def shapes(tmp_path, monkeypatch):
    """A package of shapes: `square` is one, `_drawing` helps, `shape` is what they derive from."""
    folder = tmp_path / "shapes"
    folder.mkdir()
    files = {"__init__": "", "shape": BASE, "square": SQUARE, "_drawing": ""}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "shapes"]:
        monkeypatch.delitem(sys.modules, name)
    return Registry("shapes", "shapes.shape.Shape", "shape")


def test_names_are_the_files_but_helpers_and_the_base(shapes):
    assert shapes.names == ("square",)
    assert shapes.module("square") == "shapes.square"
    assert shapes.load("square").__name__ == "Square"


def test_a_class_is_called_by_its_name(shapes):
    assert shapes.class_called("Square") is shapes.load("square")
    assert shapes.class_called("Shape") is shapes.base
    with pytest.raises(AttributeError, match=r"'shapes' has no attribute 'Sqare'. Did you mean"):
        shapes.class_called("Sqare")
    with pytest.raises(AttributeError, match=r"has no attribute 'square'$"):
        shapes.class_called("square")


def test_a_user_s_own_is_named_by_its_module_or_its_file(shapes, tmp_path):
    (tmp_path / "circle.py").write_text(SQUARE.replace("Square", "Circle"))
    assert shapes.module("circle.py") == "circle.py"
    assert shapes.load("circle.py").__name__ == "Circle"
    assert shapes.load("circle.py") is shapes.load("circle.py")
    assert shapes.load("shapes.square") is shapes.load("square")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("sqare", None, "unknown shape 'sqare'. Did you mean 'square'?"),
        ("nowhere.py", None, "shape 'nowhere.py': there is no such file"),
        ("../circle", None, "shape '../circle': a path must end in .py, the file of your class"),
        ("not.there", None, "shape 'not.there': ModuleNotFoundError"),
        ("none.py", "", "none must define one subclass of Shape, found 0"),
        ("two.py", f"{SQUARE}class Other(Shape):\n    pass\n", "two must define one subclass"),
        ("broken.py", "1 / 0", "shape 'broken.py': ZeroDivisionError: division by zero"),
    ],
)
def test_what_is_not_exactly_one_class_is_refused_by_name(shapes, tmp_path, name, text, message):
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        shapes.load(name)
    assert message in str(caught.value)
