"""The figure of specifications: what its title says, what is sorted, which choices have rows."""

import pandas as pd
import pytest

from fairflow.products.figures import draw
from fairflow.products.figures._drawing import notes_of
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.validity.figures.specification_curve import SpecificationCurve, pairs_shown, placed
from fairflow.validity.multiverse import specification_summary

LABELS = {"weat": "WEAT", "rnd": "RND", "a": "Model A", "b": "Model B", "c": "Model C"}


def row(number, difference, variant="weat", aggregation="avg", pair=("a", "b"), **more):
    names = {"criterion": "Gender", "model": pair[0], "other": pair[1], "specification": number}
    choices = {"metric": variant.upper(), "variant": variant, "normalisation": "any"}
    choices |= {"aggregation": aggregation, "lists": "mine", "lookup": "as_written"}
    ends = {"relative_difference_low": difference - 0.5, "relative_difference_high": difference + 1}
    told = {"more_biased": pair[difference < 0], "status": "counted", "note": ""}
    return names | choices | {"relative_difference": difference} | ends | told | more


ROWS = [
    row(1, -0.9),
    row(2, 0.4, aggregation="abs_avg"),
    row(3, -0.1, variant="rnd", aggregation="any"),
    row(4, 0.2, status="grows_with_length", variant="rnd", normalisation="as given"),
]


def frames(rows=ROWS):
    curve = pd.DataFrame(rows)
    return StudyFrames(
        specification_curve=curve,
        labels=LABELS,
    )


def test_the_title_says_who_shows_more_in_how_many_of_how_many():
    (part,) = draw("specification_curve", frames()).subfigs
    title = part.get_suptitle().replace("\n", " ")
    assert title == "By 2 of 3 ways to measure on Gender, Model B shows more bias than Model A"
    assert [text.get_text() for text in part.axes[0].texts] == ["Gender\n2 of 3"]


def test_criteria_are_not_summed_and_the_legend_has_the_colours_that_occur():
    rows = [*ROWS, *(row(n, 0.5, criterion="Overall") for n in range(5))]
    figure = draw("specification_curve", frames(rows))
    (part,) = figure.subfigs
    assert [text.get_text() for text in part.axes[0].texts] == ["Gender\n2 of 3"]
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    assert shown == [
        "Model A shows more",
        "Model B shows more",
        "white: the interval over queries contains 0 or is missing",
    ]
    one = {"relative_difference_low": 0.1, "relative_difference_high": 0.9}
    clear = draw("specification_curve", frames([row(n, 0.5, **one) for n in (1, 2)]))
    assert [t.get_text() for t in clear.legends[0].get_texts()] == ["Model A shows more"]


def test_differences_are_sorted_and_positive_where_the_first_model_shows_more():
    panel = placed(frames().specification_curve, ("b", "a"))
    assert panel["relative_difference"].tolist() == [-0.4, 0.1, 0.9]
    assert panel["x"].tolist() == [0, 1, 2]
    # From -0.9 - 0.5 to -0.9 + 1, turned.
    assert panel["relative_difference_low"].iloc[-1] == pytest.approx(-0.1)
    assert panel["relative_difference_high"].iloc[-1] == pytest.approx(1.4)


def test_choices_have_rows_where_several_were_made_in_the_order_of_the_table():
    panel = placed(frames().specification_curve, ("b", "a"))
    rows = [*SpecificationCurve(frames()).choice_rows(panel)]
    assert [row.label for row in rows] == [
        "Metric",
        "WEAT",
        "RND",
        "Queries become one by",
        "mean",
        "mean of absolute values",
    ]
    (part,) = draw("specification_curve", frames()).subfigs
    no_difference, made = part.axes[1].lines[2 * 4 : 2 * 4 + 2]
    assert (list(no_difference.get_xdata()), list(made.get_xdata())) == ([1], [2])


def test_the_pairs_that_hang_most_on_choices_are_drawn():
    certain = [row(n, 0.5, pair=("a", "c")) for n in range(4)]
    torn = [row(n, 0.5 - n % 2, pair=("b", "c")) for n in range(4)]
    with_three = frames([*certain, *ROWS, *torn])
    assert pairs_shown(specification_summary(with_three.specification_curve)) == [
        ("b", "c"),
        ("b", "a"),
    ]
    notes = " ".join(notes_of(draw("specification_curve", with_three)))
    assert "2 of 3 pairs" in notes
    assert "Not counted, RND: values grow with the length of vectors" in notes


def test_headings_are_turned_where_they_do_not_fit_side_by_side():
    criteria = ("National origin", "Socioeconomic status", "Age", "Disability", "Religion")
    rows = [row(n, 0.1, criterion=criterion) for criterion in criteria for n in (1, 2)]
    for many, heading in (
        (rows, "National origin, 2 of 2"),
        (rows[:2], "National\norigin\n2 of 2"),
    ):
        (part,) = draw("specification_curve", frames(many)).subfigs
        found = {text.get_text(): text.get_rotation() for text in part.axes[0].texts}
        assert found[heading] == 90.0 * (many is rows)
