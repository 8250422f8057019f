"""A transform is registered by its file and says what it cannot take."""

import pytest

from fairflow.transforms import TRANSFORMS, transform_class, transform_module
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation


class Scaled(BaseTransform):
    def __init__(self, factor: float, words: tuple[str, ...] = ()) -> None:
        if factor <= 0:
            raise ValueError(f"factor must be above 0, found {factor}")

    def fit(self, base):
        return Derivation()


@pytest.mark.parametrize("name", TRANSFORMS.names)
def test_each_file_holds_one_transform_which_says_what_it_does(name):
    transform = transform_class(name)
    assert transform.__doc__
    assert transform_module(name) == transform.__module__ == f"fairflow.transforms.{name}"


def test_a_file_of_the_users_holds_a_transform_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from fairflow.transforms.base_transform import BaseTransform\n"
        "class Mine(BaseTransform):\n"
        "    def fit(self, base): return None\n"
    )
    assert transform_class(str(path)).__name__ == "Mine"
    assert transform_module(str(path)) == str(path)


@pytest.mark.parametrize(
    ("parameters", "sentences"),
    [
        ({"factor": 2}, []),
        ({}, ["Scaled.__init__() missing 1 required positional argument: 'factor'"]),
        ({"factor": 2, "word": []}, ["unknown parameter 'word'. Did you mean 'words'?"]),
        ({"factor": -1}, ["factor must be above 0, found -1"]),
        ({"factor": "2"}, ["'<=' not supported between instances of 'str' and 'int'"]),
    ],
)
def test_parameters_that_it_cannot_take_are_told_in_a_sentence(parameters, sentences):
    assert Scaled.problems(parameters) == sentences
