"""Two models compared in every specification that could be defended."""

import pandas as pd
import pytest
from tables_of_scores import score

from fairflow.studies.comparability import FEW_QUERIES, GROWS_WITH_LENGTH, SCALES_WITH_DIMENSION
from fairflow.studies.tables import columns_of
from fairflow.validity.multiverse import (
    ANY,
    AS_GIVEN,
    COUNTED,
    NEITHER,
    UNIT_LENGTH,
    specification_curve,
    specification_summary,
    with_absent,
)

OWN = {"mine": {"Gender": ["g1", "g2"]}}
TWO = {"mine": {"Gender": ["g1", "g2"], "Religion": ["r1"]}}


def variant(metric, signed=True, scales=False, normalize=False, convention=None, fairer=False):
    return {
        "metric": metric.upper(),
        "convention": convention or metric,
        "normalize": normalize,
        "scales": scales,
        "depends_on_dimension": metric == "sum",
        "signed": signed,
        "larger_is_fairer": fairer,
    }


WEAT = {"weat": variant("weat")}
RNSB = {"rnsb": variant("rnsb", signed=False, scales=True)}


def scores(metric, values, unit_length=None, status="ok"):
    """Values by model and query: {"a": {"g1": 0.5}}; those of unit length the same by default."""
    rows = [
        score(model, query, value, metric=metric, status=status)
        | {"subquery_digest": f"words of {query.removesuffix('_lower')}"}
        | {"value_normalized": (unit_length or values)[model].get(query)}
        for model, of_model in values.items()
        for query, value in of_model.items()
    ]
    return pd.DataFrame(rows).astype({"value": float, "value_normalized": float})


def curve(own, others=(), lists=OWN, variants=WEAT, **more):
    settings = {
        "lookups": {},
        "minimum_coverage": 0.5,
        "vectors": {},
        "derived": {},
        "query_groups": {},
        "seed": 1,
    }
    return specification_curve(
        own, others, {"lists": lists, "variants": variants, **settings, **more}
    )


OPPOSING = {"a": {"g1": 0.75, "g2": -0.75}, "b": {"g1": 0.25, "g2": 0.5}}


def test_each_aggregation_of_a_signed_metric_is_a_specification():
    table = curve(scores("weat", OPPOSING))
    assert [*table] == columns_of("specification_curve")
    sizes, signed = table.to_dict("records")
    # Mean sizes 3/4 and 3/8: (3/4 - 3/8) / (9/16). Means 0 and 3/8: b alone shows any.
    assert (sizes["aggregation"], sizes["value"], sizes["other_value"]) == ("abs_avg", 0.75, 0.375)
    assert sizes["relative_difference"] == pytest.approx(2 / 3)
    assert (sizes["more_biased"], signed["more_biased"]) == ("a", "b")
    assert (signed["aggregation"], signed["relative_difference"]) == ("avg", -2.0)
    assert {sizes["status"], signed["status"]} == {COUNTED}
    assert (sizes["n_queries"], sizes["n_common"], sizes["normalisation"]) == (2, 2, ANY)


def test_exchanging_the_models_turns_every_difference():
    values = {m: {f"g{i}": (i + 1) * f for i in range(24)} for m, f in (("a", 0.1), ("b", 0.13))}
    values["a"]["g3"] = -0.9
    lists = {"mine": {"Gender": [f"g{i}" for i in range(24)]}}
    forward = curve(scores("weat", values), lists=lists)
    backward = curve(scores("weat", dict(reversed(values.items()))), lists=lists)
    assert backward["model"].tolist() == ["b", "b"]
    assert forward["more_biased"].tolist() == backward["more_biased"].tolist()
    turned = -backward["relative_difference"]
    assert forward["relative_difference"].tolist() == pytest.approx(turned.tolist())
    ends = forward["relative_difference_low"], -backward["relative_difference_high"]
    assert ends[0].tolist() == pytest.approx(ends[1].tolist())
    assert ends[0].notna().all()


def test_a_variant_under_another_name_adds_nothing():
    own = scores("weat", OPPOSING)
    twin = own.assign(metric="weat_right_sided")
    variants = WEAT | {"weat_right_sided": variant("weat")}
    pd.testing.assert_frame_equal(curve(own, [twin], variants=variants), curve(own))


def test_means_of_values_of_one_sign_are_one_specification():
    values = {"a": {"g1": 0.5, "g2": 0.25}, "b": {"g1": -0.125, "g2": -0.375}}
    (row,) = curve(scores("weat", values)).to_dict("records")
    assert (row["aggregation"], row["status"], row["more_biased"]) == (ANY, COUNTED, "a")
    # Means 3/8 and -1/4, mean sizes 3/8 and 1/4: (3/8 - 1/4) / (5/16).
    assert (row["value"], row["other_value"]) == (0.375, -0.25)
    assert row["relative_difference"] == pytest.approx(0.4)


def test_only_queries_that_both_define_are_compared():
    values = {"a": {"g1": 0.5, "g2": 9.0}, "b": {"g1": 0.4, "g2": float("nan")}}
    (row,) = curve(scores("weat", values)).to_dict("records")
    assert (row["n_queries"], row["n_common"], row["value"]) == (2, 1, 0.5)
    (few,) = curve(scores("weat", values), minimum_coverage=0.6).to_dict("records")
    assert (few["status"], few["value"]) == (FEW_QUERIES, 0.5)
    assert pd.isna(few["more_biased"])
    assert "fewer than 60%" in few["note"]


def test_values_that_grow_with_length_are_shown_and_count_at_unit_length_alone():
    long, short = {"g1": 4.0, "g2": 4.0}, {"g1": 2.0, "g2": 2.0}
    values, unit = {"a": long, "b": short}, {"a": short, "b": long}
    table = curve(scores("rnsb", values, unit), variants=RNSB)
    given, at_unit = table.to_dict("records")
    # RNSB has no sign, and so but one mean.
    assert (given["normalisation"], given["aggregation"]) == (AS_GIVEN, ANY)
    assert (given["status"], given["value"]) == (GROWS_WITH_LENGTH, 4.0)
    assert pd.isna(given["more_biased"])
    assert "length of vectors" in given["note"]
    assert (at_unit["normalisation"], at_unit["more_biased"]) == (UNIT_LENGTH, "b")


def test_values_that_depend_on_dimension_are_shown_and_not_counted():
    variants = {"weat": variant("weat"), "sum": variant("sum")}
    same = {"a": {"g1": 0.5, "g2": 0.7}, "b": {"g1": 0.4, "g2": 0.2}}
    own = pd.concat([scores("weat", same), scores("sum", same)])
    table = curve(own, variants=variants)
    assert table["status"].tolist() == [COUNTED, SCALES_WITH_DIMENSION]
    assert table["value"].tolist() == pytest.approx([0.6, 0.6])
    (row,) = specification_summary(table).to_dict("records")
    assert (row["n_model"], row["n_specifications"]) == (1, 1)
    assert row["note"] == "1 depends on the dimension of vectors"


LISTS = OWN | {"theirs": {"Gender": ["h1", "h2"]}}
BOTH = {"a": {"h1": 0.1, "h2": -0.1}, "b": {"h1": 0.3, "h2": 0.3}}


def test_other_lists_are_specifications_where_both_models_are_scored():
    table = curve(scores("weat", OPPOSING), [scores("weat", BOTH)], LISTS)
    assert table["lists"].tolist() == ["mine", "mine", "theirs", "theirs"]
    assert table["more_biased"].tolist() == ["a", "b", "b", "b"]


def test_the_same_words_sought_in_another_way_are_a_choice_of_look_up():
    lists = OWN | {"lower": {"Gender": ["g1_lower", "g2_lower"]}}
    lower = {"a": {"g1_lower": 0.1, "g2_lower": -0.1}, "b": {"g1_lower": 0.3, "g2_lower": 0.3}}
    lookups = {"g1": "as_written", "g2": "as_written", "g1_lower": "low", "g2_lower": "low"}
    table = curve(scores("weat", OPPOSING), [scores("weat", lower)], lists, lookups=lookups)
    assert set(table["lists"]) == {"mine"}
    assert table["lookup"].tolist() == ["as_written", "as_written", "low", "low"]


def test_all_criteria_together_take_a_version_where_it_has_lists_and_the_own_ones_elsewhere():
    own = scores("weat", {m: OPPOSING[m] | {"r1": v} for m, v in (("a", 0.5), ("b", 0.1))})
    lists = TWO | {"theirs": {"Gender": ["h1", "h2"]}}
    table = curve(own, [scores("weat", BOTH)], lists)
    sizes = table[table["aggregation"] == "abs_avg"].set_index(["criterion", "lists"])["value"]
    # Religion has only the study's lists, and one query, whose means are all equal.
    religion = table[table["criterion"] == "Religion"]
    assert religion[["lists", "aggregation"]].values.tolist() == [["mine", ANY]]
    assert sizes.index.tolist() == [
        ("Gender", "mine"),
        ("Gender", "theirs"),
        ("Overall", "mine"),
        ("Overall", "theirs"),
    ]
    assert sizes["Overall", "theirs"] == pytest.approx((0.1 + 0.1 + 0.5) / 3)


def test_models_that_are_no_rivals_are_not_compared():
    own = scores("weat", OPPOSING | {"c": OPPOSING["b"], "d": OPPOSING["b"]})
    table = curve(own, vectors={"c": "x", "b": "x"}, derived={"d": "a"})
    assert set(zip(table["model"], table["other"], strict=True)) == {("a", "b")}


THREE = LISTS | {"hers": {"Gender": ["k1", "k2"]}}
THEIRS = {m: of_m | {q.replace("h", "k"): v for q, v in of_m.items()} for m, of_m in BOTH.items()}


def summary(lists=THREE):
    return specification_summary(curve(scores("weat", OPPOSING), [scores("weat", THEIRS)], lists))


def test_the_summary_counts_who_shows_more():
    (row,) = summary().to_dict("records")
    assert (row["n_specifications"], row["n_model"], row["n_other"]) == (6, 1, 5)
    assert row["share_model"] == pytest.approx(1 / 6)
    # mine: a by sizes, b by means; theirs and hers: b by both.
    # -2 three times (means: only a lacks one), -1 twice (sizes of theirs, hers), 2/3 (of mine)
    assert row["median_relative_difference"] == pytest.approx(-1.5)


def test_what_is_not_counted_is_reported():
    values = {"a": {"g1": 1.0}, "b": {"g1": 2.0}}
    own = scores("rnsb", values).assign(value_normalized=float("nan"))
    (row,) = specification_summary(curve(own, variants=RNSB)).to_dict("records")
    assert (row["n_specifications"], row["n_excluded"]) == (0, 2)
    assert row["note"] == "1 grows with the length of vectors; 1 is not scored for both"


def test_queries_that_share_words_are_resampled_as_one():
    queries = [f"g{i}" for i in range(24)]
    values = {"a": dict.fromkeys(queries, 0.5), "b": dict.fromkeys(queries, 0.2)}
    own, lists = scores("weat", values), {"mine": {"Gender": queries}}
    alone = specification_summary(curve(own, lists=lists))
    assert alone["n_clear"].tolist() == [1]
    joined = curve(own, lists=lists, query_groups=dict.fromkeys(queries[:10], "g0"))
    assert joined[["relative_difference_low", "relative_difference_high"]].isna().all().all()
    assert specification_summary(joined)["n_clear"].isna().all()


def test_a_metric_whose_larger_values_are_fairer_is_turned():
    mac = {"mac": variant("mac", signed=False, fairer=True)}
    (row,) = curve(scores("mac", {"a": {"g1": 0.9}, "b": {"g1": 0.3}}), variants=mac).to_dict(
        "records"
    )
    assert (row["more_biased"], row["relative_difference"]) == ("b", pytest.approx(-1.0))


def test_equal_biases_are_neither_models():
    table = curve(scores("weat", {"a": {"g1": 0.3}, "b": {"g1": 0.3000001}}))
    assert set(table["more_biased"]) == {NEITHER}
    assert set(table["relative_difference"]) == {0.0}


def test_a_study_that_is_not_in_this_run_is_named():
    table = with_absent(curve(scores("weat", OPPOSING)), ["elsewhere"])
    assert set(table["lists"]) >= {"elsewhere"}
    notes = specification_summary(table)["note"]
    assert notes.str.endswith("scores of elsewhere are not in this run").all()
