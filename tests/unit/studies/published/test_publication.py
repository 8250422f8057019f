"""Files of published numbers, and each number with ours, a verdict, a cause and a reason."""

import math
from pathlib import Path
from statistics import NormalDist

import pandas as pd
import pytest
from tables_of_scores import DIRECTIONS
from tables_of_scores import score as row_of_scores

from fairflow.errors import FairflowError
from fairflow.studies.published.comparison import compare_published, published_verdict, unexpected
from fairflow.studies.published.publication import FILE_COLUMNS, printed_scores, read_published

NAN = math.nan
PUBLISHED = Path(__file__).parents[4] / "config" / "published"
# Numbers of each file of config/published, counted in what they were taken from.
COUNTS = {
    "bai_2025": 125,
    "bolukbasi_2016": 562,
    "caliskan_2017": 56,
    "garg_2018": 1,
    "gonen_goldberg_2019": 8,
    "meade_2022": 26,
    "mukherjee_2023": 807,
    "nadeem_2021": 24,
    "nangia_2020": 36,
    "responsibly_notebook": 90,
    "sweater_readme": 2,
    "sweater_rnsb": 1,
    "sweeney_2019": 7,
    "valentini_2023": 475,
    "wefe_case_study_2020_04": 1208,
    "wefe_case_study_2021_10": 1233,
    "wefe_case_study_2021_12": 400,
    "wefe_ect_page": 2,
    "wefe_mac_page": 98,
    "wefe_manual_0.2.2": 76,
    "wefe_rnsb_notebook": 160,
    "wefe_rnsb_page": 165,
    "wefe_rnsb_page_national_origin": 31,
    "wefe_user_guide_1.0": 83,
    "wefe_weat_notebook": 62,
    "zhang_2020": 46,
}


def printed(value=0.46, **cells):
    row = dict.fromkeys(FILE_COLUMNS, "") | {
        "file": "paper",
        "paper": "Paper",
        "place": "Table 1",
        "model": "Word2vec",
        "metric": "weat",
        "scope": "q1",
        "measure": "weat",
        "value": value,
        "decimals": 2,
        "tolerance": NAN,
        "draws": NAN,
        "reproducible": "yes",
    }
    return pd.DataFrame([row | cells])


def score(value=0.4634, query="q1", lost=(), reason=None, **cells):
    named = {"metric": "weat", "measure": "weat", "subquery": f"label of {query}", "words": []}
    named |= {"oov_words": list(lost), "reason": reason, "splits": ()}
    return row_of_scores("w2v", query, value, **named | cells)


def compare_all(published, scores=None, aggregates=(), drawn=""):
    how = {"stand_ins": {"Word2vec": "w2v", "Other": "other"}, "ranked": drawn}
    how |= {"absent": {"GloVe": "GloVe is not fetched: 2 GB"}}
    columns = ["model", "metric", "criterion", "value", "undefined", "aggregation"]
    return compare_published(
        published,
        pd.DataFrame(scores or [score()]),
        pd.DataFrame(aggregates, columns=columns),
        DIRECTIONS,
        how,
    )


def compare(published, scores=None, aggregates=(), **arguments):
    (row,) = compare_all(published, scores, aggregates, **arguments).to_dict(orient="records")
    return row


@pytest.mark.parametrize(
    ("computed", "published", "decimals", "tolerance", "expected"),
    [
        (0.4634, 0.46, 2, NAN, "match"),
        (0.4634, 0.47, 2, NAN, "differs"),
        (-0.4634, 0.46, 2, NAN, "differs"),
        # A half may be rounded up or down, whatever its binary fraction.
        (0.125, 0.12, 2, NAN, "match"),
        (0.125, 0.13, 2, NAN, "match"),
        (1.005, 1.00, 2, NAN, "match"),
        (1.005, 1.01, 2, NAN, "match"),
        (0.12501, 0.12, 2, NAN, "differs"),
        (1.54, 1.5, 1, NAN, "match"),
        (1.56, 1.5, 1, NAN, "differs"),
        (7.4, 7.0, 0, NAN, "match"),
        (0.033, 0.03, 3, NAN, "differs"),
        (0.033, 0.03, 3, 0.004, "within tolerance"),
        (0.027, 0.03, 3, 0.004, "within tolerance"),
        (0.035, 0.03, 3, 0.004, "differs"),
        (0.0303, 0.03, 3, 0.004, "match"),
        (NAN, 0.03, 3, 0.004, "not computed"),
    ],
)
def test_the_verdict_holds_at_the_printed_decimals(
    computed, published, decimals, tolerance, expected
):
    assert published_verdict(computed - published, decimals, tolerance) == expected


def test_a_criterion_is_compared_with_our_aggregate_and_names_what_was_undefined():
    row = compare(
        printed(0.5, scope="Gender"),
        aggregates=[("w2v", "weat", "Gender", 0.501, "A wrt B", "abs_avg")],
    )
    assert (row["computed"], row["verdict"]) == (0.501, "match")
    assert row["reason"] == "undefined here: A wrt B"


def test_a_difference_has_the_declared_cause_and_names_the_lost_words():
    cells = {"reproducible": "no", "cause": "list", "note": "misprint"}
    row = compare(printed(0.9, **cells), [score(lost=["axe", "jay"])])
    assert (row["verdict"], row["cause"]) == ("differs", "list")
    assert (row["note"], row["reason"]) == ("misprint", "lost: axe, jay")


def test_undefined_in_both_is_a_match_and_undefined_in_print_only_is_not():
    undefined = score(NAN, reason="lost too many")
    assert compare(printed(NAN), [undefined])["verdict"] == "match"
    assert compare(printed(NAN))["verdict"] == "differs"


SPLITS = [0.1, 0.2, 0.3, 0.4] * 10


def test_an_unseeded_mean_among_the_seeded_ones_is_within_the_draws_with_its_quantile():
    cells = {"reproducible": "no", "draws": 30}
    row = compare(printed(0.27, **cells), [score(0.25, splits=SPLITS)])
    assert (row["verdict"], row["cause"]) == ("within the draws", "unseeded")
    # The mean of 30 of these has standard deviation .02, ours of 40 .018: .27 is .75 above.
    assert row["quantile"] == pytest.approx(0.77, abs=0.05)


def test_a_printed_number_stands_for_all_that_round_to_it():
    # 0.3 with one decimal may have been 0.25 and more, which many seeds give; 0.2 not.
    cells = {"reproducible": "no", "draws": 3000}
    splits = [0.249, 0.251] * 20
    row = compare(printed(0.3, decimals=1, **cells), [score(0.2499, splits=splits)])
    assert row["verdict"] == "within the draws"
    far = compare(printed(0.4, decimals=1, **cells), [score(0.2499, splits=splits)])
    assert far["verdict"] == "differs"


def test_the_mean_over_a_criterion_is_drawn_from_the_splits_of_its_queries():
    cells = {"criterion": "Gender", "splits": SPLITS}
    scores = [
        score(0.25, subquery_digest="a", **cells),
        score(0.25, subquery_digest="b", query="q2", **cells),
        # Equal words under another name count once.
        score(0.25, subquery_digest="b", query="q3", **cells),
        score(0.9, subquery_digest="c", query="q4", criterion="Age", splits=[0.9, 0.9]),
    ]
    aggregates = [("w2v", "weat", "Gender", 0.25, "", "avg")]
    rows = [
        compare(printed(value, scope="Gender", draws=30), scores, aggregates)
        for value in (0.27, 0.33)
    ]
    assert [row["verdict"] for row in rows] == ["within the draws", "differs"]
    assert rows[1]["cause"] == "not expected"


def test_the_share_of_a_word_is_drawn_split_by_split():
    words = [
        {"word": "irish", "value": 0.3, "splits": [0.2, 0.4] * 20},
        {"word": "dutch", "value": 0.3, "splits": [0.6, 0.4] * 20},
    ]
    words = [{"set": "N", "measure": "negative_probability"} | word for word in words]
    cells = {"item": "irish", "measure": "negative_share", "draws": 1, "reproducible": "no"}
    assert compare(printed(0.25, **cells), [score(words=words)])["verdict"] == "within the draws"
    assert compare(printed(0.9, **cells), [score(words=words)])["verdict"] == "differs"


@pytest.mark.parametrize(
    ("published", "reason"),
    [
        (printed(model="BERT"), "only published: BERT is not a model of this study"),
        (printed(model="GloVe"), "only published: GloVe is not fetched: 2 GB"),
        (printed(model="Other"), "weat of q1 is not computed in this study"),
        (printed(scope="gender_6"), "weat of gender_6 is not computed in this study"),
        (printed(measure="p_other"), "no p_other among the results"),
        (printed(item="irish"), "no weat of this word among the results"),
    ],
)
def test_a_cell_that_we_have_not_is_not_computed_and_says_what_is_missing(published, reason):
    row = compare(published)
    assert math.isnan(row["computed"])
    assert (row["verdict"], row["reason"]) == ("not computed", reason)


def test_the_share_of_a_word_is_its_part_of_all_negative_probabilities():
    words = [
        {"set": "N", "word": word, "measure": "negative_probability", "value": value}
        for word, value in (("irish", 0.3), ("dutch", 0.1))
    ]
    scores = [score(words=words)]
    share = printed(0.75, item="irish", measure="negative_share")
    assert compare(share, scores)["computed"] == pytest.approx(0.75)
    probability = printed(0.1, item="dutch", measure="negative_probability")
    assert compare(probability, scores)["verdict"] == "match"


def by_model(measure="weat", metric="weat", place="Table 1", **values):
    rows = [
        printed(value, model=model, metric=metric, scope="Gender", measure=measure, place=place)
        for model, value in values.items()
    ]
    return pd.concat(rows)


def test_ranks_are_those_of_the_printed_scores_and_ties_may_be_broken():
    scores = by_model(a=0.1, b=-0.3, c=0.2, d=0.2)
    right = compare_all(pd.concat([scores, by_model("rank", a=1, b=4, c=3, d=2)]))[4:]
    wrong = compare_all(pd.concat([scores, by_model("rank", a=2, b=4)]))[4:]
    assert right["verdict"].tolist() == ["match"] * 4
    assert wrong["verdict"].tolist() == ["differs", "match"]
    assert wrong["computed"].tolist() == [1, 4]
    assert set(right["reason"]) == {"rank of the printed scores"}


@pytest.mark.parametrize(("value", "expected"), [(0.5, "match"), (-1.0, "match"), (0.1, "differs")])
def test_a_correlation_is_that_of_the_printed_ranks_or_of_the_ranks_by_score(value, expected):
    numbers = [
        by_model("rank", a=1, b=2, c=3),
        by_model("rank", "mac", a=2, b=1, c=3),
        by_model(a=0.1, b=0.2, c=0.3),
        by_model("mac", "mac", a=0.1, b=0.2, c=0.3),
        printed(value, model="all", metric="weat ~ mac", scope="Gender", measure="spearman"),
    ]
    row = compare_all(pd.concat(numbers)).to_dict(orient="records")[-1]
    assert row["verdict"] == expected
    assert row["reason"].startswith("spearman correlation of the printed ")


def test_an_interval_and_a_p_are_those_of_the_printed_standard_error():
    normal = NormalDist(-1.2, 0.5)
    told = {"low": normal.inv_cdf(0.025), "high": normal.inv_cdf(0.975)}
    told["two_sided_p"] = 2 * (1 - normal.cdf(0))
    numbers = [printed(value, measure=measure, item="nurse") for measure, value in told.items()]
    error = printed(0.5, measure="standard_error", item="nurse")
    table = compare_all(pd.concat([printed(-1.2, item="nurse"), error, *numbers]))
    assert table["computed"].tolist()[2:] == pytest.approx(list(told.values()))
    assert set(table["verdict"][2:]) == {"match"}
    row = compare(printed(0.1, measure="low"))
    assert row["reason"] == "the number and its standard error are not printed"


def test_the_intervals_and_p_of_valentini_follow_from_their_standard_errors():
    """Every hundredth row of their table; all 9,498 were compared once, with the same result."""
    table = compare_all(read_published(PUBLISHED / "valentini_2023.csv"))
    verdicts = table.groupby("measure")["verdict"].value_counts()
    assert verdicts.to_dict() == {
        ("pmi_difference", "not computed"): 95,
        ("standard_error", "not computed"): 95,
        ("low", "match"): 95,
        ("high", "match"): 95,
        ("two_sided_p", "match"): 95,
    }


def test_a_model_is_ranked_by_its_first_printed_score_with_its_printed_rank():
    numbers = [
        by_model(a=0.123),
        by_model(place="Table 2", a=0.12),
        by_model("rank", a=7).assign(erratum="wrong"),
        by_model("rank", place="Table 2", a=1),
        by_model("p_value", a=0.01),
    ]
    (row,) = printed_scores(pd.concat(numbers)).to_dict(orient="records")
    assert (row["value"], row["rank"]) == (0.123, 1)


def written(path, frame):
    frame.drop(columns="file").to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"reproducible": "maybe"}, "line 2: reproducible must be yes or no"),
        ({"reproducible": "no"}, "line 2: a number that is not reproducible needs a cause"),
        ({"reproducible": "no", "cause": "weather"}, "needs a cause, one of list, ddof, method"),
        ({"cause": "list"}, "line 2: a reproducible number has no cause"),
        ({"decimals": NAN}, "line 2: decimals are missing"),
    ],
)
def test_a_row_that_says_too_little_is_refused_with_its_line(tmp_path, cells, sentence):
    path = written(tmp_path / "paper.csv", printed(**cells))
    with pytest.raises(FairflowError, match=sentence):
        read_published(path)


def test_every_number_of_the_publications_is_in_a_file():
    found = {path.name.removesuffix(".csv"): read_published(path) for path in PUBLISHED.iterdir()}
    assert {name: len(frame) for name, frame in found.items()} == COUNTS
    assert sum(COUNTS.values()) == 5784


def test_no_number_stands_twice_in_a_file():
    for path in PUBLISHED.iterdir():
        keys = ["paper", "place", "model", "metric", "scope", "item", "measure"]
        frame = read_published(path)
        assert not frame.duplicated(keys).any(), frame[frame.duplicated(keys)]


def test_a_number_declared_reproducible_that_differs_is_unexpected():
    table = compare_all(
        pd.concat([printed(0.9), printed(0.9, reproducible="no", cause="list"), printed()])
    )
    assert table["cause"].tolist() == ["not expected", "list", ""]
    assert unexpected(table).index.tolist() == [0]


def test_an_unseeded_mean_that_no_seed_gives_differs_for_an_unknown_cause():
    cells = {"reproducible": "no", "draws": 30}
    row = compare(printed(0.39, **cells), [score(0.25, splits=SPLITS)])
    assert (row["verdict"], row["cause"], row["quantile"]) == ("differs", "unknown", 1)
    declared = compare(printed(0.39, **cells, cause="method"), [score(0.25, splits=SPLITS)])
    assert (declared["verdict"], declared["cause"]) == ("differs", "method")


def test_where_larger_is_fairer_the_largest_score_has_rank_1():
    numbers = [by_model("mac", "mac", a=0.9, b=0.7), by_model("rank", "mac", a=1, b=2)]
    assert compare_all(pd.concat(numbers))["verdict"].tolist()[2:] == ["match"] * 2


def test_a_sum_of_ranks_is_added_up():
    ranks = [by_model("rank", a=1), by_model("rank", a=2).assign(scope="Religion")]
    table = compare_all(pd.concat([*ranks, by_model("sum of ranks", a=3).assign(scope="Overall")]))
    assert table["computed"].tolist()[-1] == 3
