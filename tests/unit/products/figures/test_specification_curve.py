"""The figure of specifications: what its title says, what is sorted, which choices have rows."""

import pandas as pd
import pytest

from fairflow.products.figures import alt_text, draw
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.products.figures.specification_curve import SpecificationCurve, pairs_shown, placed
from fairflow.studies.multiverse import specification_summary

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


MORE = "Specifications in which Model B shows more bias than Model A:"


def frames(rows=ROWS):
    curve = pd.DataFrame(rows)
    return StudyFrames(
        specification_curve=curve,
        labels=LABELS,
    )


def test_the_title_says_who_shows_more_in_how_many_of_how_many():
    (part,) = draw("specification_curve", frames()).subfigs
    title = part.get_suptitle().replace("\n", " ")
    assert title == f"{MORE} 2 of 3 on Gender"
    assert [text.get_text() for text in part.axes[0].texts] == ["Gender\n2 of 3"]


def test_all_criteria_together_are_not_counted():
    both = [*ROWS, *(each | {"criterion": "Overall"} for each in ROWS)]
    text = alt_text("specification_curve", frames(both))
    assert f"{MORE} 2 of 3 on Gender." in text


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
    summary = specification_summary(with_three.specification_curve)
    assert pairs_shown(summary) == [
        ("b", "c"),
        ("b", "a"),
    ]
    assert "2 of 3 pairs" in alt_text("specification_curve", with_three)
    draw("specification_curve", with_three)


def test_the_figure_is_described_by_criterion():
    further = [row(n, -0.9, lists=f"lists {n}") for n in (5, 6)]
    further += [row(n + 2, 0.4, aggregation="abs_avg", lists=f"lists {n}") for n in (5, 6)]
    text = alt_text("specification_curve", frames([*ROWS, *further]))
    assert f"{MORE} 4 of 7 on Gender." in text
    assert "Gender: 4 of 7." in text
    assert "Not counted, RND: values grow with the length of vectors" in text


def test_headings_are_turned_where_they_do_not_fit_side_by_side():
    criteria = [
        "Gender",
        "National origin",
        "Socioeconomic status",
        "Age",
        "Disability",
        "Religion",
    ]
    of_one, of_many = (
        frames([row(n, 0.1, criterion=criterion) for criterion in names for n in (1, 2)])
        for names in (criteria[:1], criteria)
    )
    one, many = (draw("specification_curve", each) for each in (of_one, of_many))
    headings = [
        {(text.get_text(), text.get_rotation()) for text in figure.subfigs[0].axes[0].texts}
        for figure in (one, many)
    ]
    assert headings[0] == {("Gender\n2 of 2", 0.0)}
    assert ("National origin, 2 of 2", 90.0) in headings[1]


def test_it_is_as_wide_as_a_column_and_a_page_at_most_high():
    many = [
        row(n, 0.1 * (n % 7) - 0.3, pair=pair, criterion=c, variant=f"v{n % 9}")
        for pair in (("a", "b"), ("a", "c"), ("b", "c"))
        for c in ("Gender", "Ethnicity")
        for n in range(30)
    ]
    figure = draw("specification_curve", frames(many))
    assert figure.get_figwidth() == 3.46
    assert figure.get_figheight() < 9.3


def test_a_study_that_compares_none_says_so():
    for empty in (StudyFrames(), frames([row(1, 0.5, status="not_scored")])):
        figure = draw("specification_curve", empty)
        assert "No two models" in figure.texts[0].get_text()
