"""Each public name says what it takes and gives, has an example that runs, and names its kin."""

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import fairflow
import fairflow.transforms as transforms
from fairflow.metrics import METRICS, BaseMetric
from fairflow.transforms import TRANSFORMS

PUBLIC = {
    **{name: getattr(fairflow, name) for name in fairflow.__all__},
    **{one.__name__: one for one in map(METRICS.load, METRICS.names)},
    **{one.__name__: one for one in map(TRANSFORMS.load, TRANSFORMS.names)},
    "BaseTransform": transforms.BaseTransform,
}
MODULES = sorted({one.__module__ for one in PUBLIC.values()})
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)


def sections(docstring: str | None) -> dict[str, str]:
    _, *parts = SECTION.split(inspect.cleandoc(docstring or ""))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def taken(thing: object) -> tuple[list[str], str]:
    """The parameters of a public thing, and what its docstrings say of these."""
    if inspect.isclass(thing) and issubclass(thing, BaseMetric) and thing is not BaseMetric:
        return [*thing.parameters()], sections(thing.compute.__doc__).get("Parameters", "")
    own = sections(vars(thing).get("__doc__") or thing.__doc__)
    names = [*inspect.signature(thing).parameters]
    return names, own.get("Parameters", own.get("Attributes", ""))


@pytest.mark.parametrize("name", PUBLIC)
def test_it_says_what_each_parameter_is(name: str):
    names, said = taken(PUBLIC[name])
    assert [one for one in names if not re.search(rf"\b{one}\b", said)] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_it_has_an_example_and_names_what_else_there_is(name: str):
    assert {"Examples", "See also"} <= {*sections(PUBLIC[name].__doc__)}


ANSWERING = [name for name, thing in PUBLIC.items() if inspect.isfunction(thing)]
ANSWERS = [BaseMetric.run_query, transforms.BaseTransform.fit, *map(PUBLIC.get, ANSWERING)]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda function: function.__qualname__)
def test_what_it_returns_has_a_section(answer):
    assert "Returns" in sections(answer.__doc__)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0
    assert found.failed == 0
