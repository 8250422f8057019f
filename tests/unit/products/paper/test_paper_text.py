"""Text, numbers and names as LaTeX needs them."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.products.paper.latex import (
    decimals_for,
    escape,
    latex_interval,
    latex_number,
    p_power,
    p_value,
)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("P&R_1 50% #2 $3", r"P\&R\_1 50\% \#2 $\mathdollar$3"),
        (r"a\b{c}", r"a\textbackslash{}b\{c\}"),
        ("~^<>|", r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"),
        ("[x]*", "{[}x{]}{*}"),
        ("x -- y", "x -{}- y"),
        ("say \"yes\" or 'no'", r"say \symbol{34}yes\symbol{34} or 'no'"),
        ("\u2212.5 \u2264 1\u20132", r"$-$.5 $\leq$ 1--2"),
        ("Jose\u0301 na\u00efve", "Jos\u00e9 na\u00efve"),
        ("two\nlines\x00", "two lines "),
    ],
)
def test_what_has_a_meaning_in_latex_is_escaped(text: str, latex: str):
    assert escape(text) == latex


@given(st.text())
def test_no_text_breaks_out_of_its_cell(text: str):
    latex = escape(text)
    assert "\n" not in latex
    plain = re.sub(r"\\(?:[a-z]+|[&%$#_{}`])|\{\}|\{[\[\]*]\}|\{34\}|\$[-\\a-z]*\$", "", latex)
    assert not re.search(r"(?<!\\)[&%$#_{}\\^]", plain.replace("~", ""))
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", re.sub(r"\\[{}]", "", latex)):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0


@pytest.mark.parametrize(
    ("value", "decimals", "latex"),
    [(1.5393, 3, "1.539"), (-0.0449, 3, "$-$0.045"), (-0.0001, 3, "0.000"), (12.0, 0, "12")],
)
def test_numbers_keep_their_decimals_and_no_negative_zero(value, decimals, latex):
    assert latex_number(value, decimals) == latex


def test_an_interval_has_both_ends_and_begins_no_option():
    assert latex_interval(-0.1, 0.25, 2) == "{[}$-$0.10, 0.25{]}"


@pytest.mark.parametrize(
    ("values", "decimals"),
    [([1.54, -0.2], 3), ([0.3, math.nan], 3), ([0.0231], 4), ([23.0], 2), ([4100.0], 0), ([], 3)],
)
def test_the_largest_value_decides_on_the_decimals(values, decimals):
    assert decimals_for(values) == decimals


@pytest.mark.parametrize(
    ("p", "short", "long"),
    [
        (0.0124, ".012", ".012"),
        (0.001, ".001", ".001"),
        (0.00099, "$<$.001", r"$9.9\times10^{-4}$"),
        (2.648e-10, "$<$.001", r"$2.6\times10^{-10}$"),
        (0.9999, "$>$.999", "$>$.999"),
        (1.0, "1.000", "1.000"),
        (0.0, "$<$.001", "$<$.001"),
    ],
)
def test_p_values_are_printed_as_journals_do(p, short, long):
    assert p_value(p) == short
    assert p_power(p) == long
