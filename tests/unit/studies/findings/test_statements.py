"""Each statement is made where a study supports it and nowhere else: every test has both cases."""

import math

import pandas as pd
import pytest

from fairflow.studies.before_after import QUALITY_COLUMNS
from fairflow.studies.findings.finding import Results, as_markdown, read_findings, write_conclusions
from fairflow.studies.findings.statements import findings

LABELS = {"m": "Model M", "n": "Model N", "twin": "Twin of M", "weat": "WEAT", "rnd": "RND"}
LABELS |= {"honest": "HONEST", "unsigned": "Unsigned"}
NAN = math.nan


def score(model="m", metric="weat", query="q1", **columns):
    row = {
        "model": model,
        "metric": metric,
        "query": query,
        "query_label": query,
        "subquery": query,
        "measure": "weat",
        "is_primary": True,
        "test_id": f"{model} {query}",
        "value": 0.5,
        "p_value": 0.01,
        "p_holm": 0.02,
        "p_bh": 0.02,
        "alternative": "two-sided",
        "ci_low": 0.1,
        "ci_high": 0.9,
        "ci_low_both": -0.1,
        "ci_high_both": 1.1,
        "ci_level": 0.95,
        "p_null_band": 0.5,
        "null_band_low": -0.7,
        "null_band_high": 0.7,
        "frequency_source": "wordfreq 3, en",
        "statistics": "ok",
        "statistics_note": None,
        "status": "ok",
    }
    return row | columns


UNTESTED = dict.fromkeys(["p_value", "p_holm", "p_bh", "ci_low", "ci_low_both", "p_null_band"], NAN)


def ranked(model, rank, status="compared", metric="weat", criterion="Gender"):
    return ("computed", criterion, metric, model, rank, status, rank)


CONTROLS = ["model", "query", "value", "p_value", "status", "reason"]
RANKING = ["source", "criterion", "metric", "model", "rank", "status", "score"]
PAIRWISE = ["criterion", "metric", "model", "other", "p_fairer", "verdict"]
SCALE = ["metric", "scales_with_length", "norm_r2", "n_models"]


def statements(
    scores=(),
    published=(),
    controls=(),
    ranking=(),
    pairwise=(),
    scale=(),
    vectors=None,
    of_items=(),
    unanswered=(),
    readings=None,
    quality=(),
):
    """The statements of a study with these rows."""
    frames = {
        "scores": pd.DataFrame(list(scores) or [score()]),
        "published": pd.DataFrame(published, columns=["measure", "verdict", "cause"]),
        "controls": pd.DataFrame(controls, columns=CONTROLS),
        "ranking": pd.DataFrame(ranking, columns=RANKING),
        "pairwise": pd.DataFrame(pairwise, columns=PAIRWISE),
        "length_sensitivity": pd.DataFrame(scale, columns=SCALE),
        "quality": pd.DataFrame(quality, columns=QUALITY_COLUMNS),
    }
    asked = {"signed": ["weat", "rnd"], "of_items": of_items, "unanswered": unanswered}
    asked |= {"readings": readings or {}, "vectors": vectors or {"m": "m"}}
    text = as_markdown("A study", findings(Results(frames, LABELS, **asked)))
    heading, empty, *items = text.splitlines()
    assert (heading, empty) == ("## A study", "")
    assert items
    assert all(item.lstrip().startswith("- ") and item.endswith(".") for item in items)
    return [item.lstrip().removeprefix("- ") for item in items]


def said(part, **study):
    """Whether some statement of a study has this in it."""
    return any(part in statement for statement in statements(**study))


def numbers(**verdicts):
    causes = {"differs": "ddof"}
    names = {name: name.replace("_", " ") for name in verdicts}
    return [
        ("weat", names[name], causes.get(name, ""))
        for name, count in verdicts.items()
        for _ in range(count)
    ]


def test_published_numbers_are_counted_by_verdict():
    mixed = numbers(match=2, within_tolerance=1, differs=1, not_computed=3)
    assert said(
        "3 of 4 published numbers reproduced. 2 match to the printed digits and 1 is within "
        "tolerance. 1 differs, the table gives the reason. 3 more need models or metrics that this "
        "run does not have.",
        published=mixed,
    )
    assert said("2 of 2 published numbers reproduced.", published=numbers(match=2))
    assert not said("published", published=[])


def test_that_no_published_number_can_be_computed_is_said_only_where_none_can():
    part = "This run can compute none of 3 published numbers."
    assert said(part, published=numbers(not_computed=3))
    assert not said("can compute no one", published=numbers(not_computed=2, match=1))


def test_ranks_that_follow_from_other_published_numbers_are_no_numbers_of_ours():
    follows = [("rank", "match", ""), ("spearman", "match", "")]
    assert not said("published", published=follows)
    assert said("1 of 1 published number reproduced", published=[*follows, ("weat", "match", "")])


def test_differences_without_a_known_cause_are_told():
    two = [("weat", "differs", "unknown"), ("weat", "differs", "ddof")]
    assert said("2 differ, 1 for no known reason.", published=two)
    assert said("1 differs, for no known reason.", published=two[:1])
    assert not said("no known reason", published=two[1:])


FAILS = ("m", "weat_1", -0.1, 0.6, "fails", None)
CONTROL_PASSES = ("m", "weat_1", 1.5, 0.001, "passes", None)
LACKS = ("m", "weat_1", NAN, NAN, "undefined", "Insects lost 9 of 9 words (ant), more than 0.2")


def test_a_failing_control_query_is_the_first_thing_said_of_the_models():
    part = (
        "Model M fails a sanity check, an association that any sensible vectors show (weat_1 fails"
    )
    found = statements(controls=[FAILS], scores=[score(value=NAN, **UNTESTED), score(query="q2")])
    assert part in found[0]
    assert "Its other scores cannot be interpreted, and it has no rank." in found[0]
    assert not said("fails a sanity", controls=[CONTROL_PASSES])
    assert not said("fails a sanity", controls=[LACKS])


def test_scores_of_control_queries_and_of_models_that_fail_them_are_in_no_count():
    rows = [
        score(control_query=False, control_status="passes"),
        score(query="weat_1", test_id="b", control_query=True, control_status="passes"),
        score(model="n", test_id="c", control_query=False, control_status="fails"),
    ]
    assert said("1 of 1 distinct test is significant at 0.05", scores=rows)


def test_a_control_query_whose_words_are_lost_leaves_the_question_open():
    part = (
        "Whether Model M passes the sanity checks is not known: weat_1 undefined (Insects lost 9 "
        "of 9 words)."
    )
    assert said(part, controls=[LACKS])
    assert not said("Whether", controls=[CONTROL_PASSES])
    assert not said("Whether", controls=[FAILS])


def test_that_every_control_comes_out_is_said_only_if_every_one_does():
    part = "Sanity checks passed by every model (weat_1)"
    assert said(part, controls=[CONTROL_PASSES])
    other = ("n", *CONTROL_PASSES[1:])
    assert not said("Sanity checks passed", controls=[other, FAILS])
    assert not said("Sanity checks passed", controls=[other, LACKS])
    assert not said("Sanity checks passed", controls=[])
    # The checks of one language are not put to a model of another.
    both = [score(), score("n")]
    assert said("passed by Model M (weat_1)", scores=both, controls=[CONTROL_PASSES])


def test_lists_of_several_languages_are_said_not_to_be_parallel():
    def of(unspoken):
        scores = {"scores": pd.DataFrame([score()])}
        return [each.text for each in findings(Results(scores, LABELS, unspoken=unspoken))]

    rest = [("m", ("fr",), {"en": 2}), ("n", ("en",), {"fr": 2})]
    assert any("are not parallel" in text for text in of(rest))
    assert not any("are not parallel" in text for text in of(rest[:1]))


def test_a_score_without_the_direction_of_gender_is_no_other_association():
    scores = {"scores": pd.DataFrame([score(), score("n")])}
    assert {*Results(scores, LABELS).headline["model"]} == {"m", "n"}
    assert {*Results(scores, LABELS, without_gender={"n": "m"}).headline["model"]} == {"m"}


def test_models_of_the_same_vectors_are_named():
    part = "Model M and Twin of M have the same vectors, whole, in part or at another length"
    assert said(f"{part}: no model is compared", vectors={"m": "m", "twin": "m"})
    of_three = {"m": "m", "twin": "m", "n": "n"}
    assert said(f"{part}: only one of them is compared with other models.", vectors=of_three)
    assert not said("the same vectors", vectors={"m": "m", "n": "n"})


def test_models_that_share_no_queries_are_not_ranked():
    rivals = [ranked("m", NAN, "undefined"), ranked("n", NAN, "undefined")]
    assert said("No model is ranked by WEAT on Gender", ranking=rivals)
    assert not said("No model is ranked", ranking=[ranked("m", 1.0), ranked("n", 2.0)])
    # A model and its twin have no ranks for another reason.
    twins = [ranked("m", NAN, "alone"), ranked("twin", NAN, "same_vectors")]
    assert not said("No model is ranked", ranking=twins)


def test_each_score_of_a_small_study_is_told_with_what_is_known_of_chance():
    start = "WEAT of q1: 0.5 in Model M (95% interval 0.1 to 0.9, p 0.01 (two-sided), "
    assert said(f"{start}within the null band -0.7 to 0.7).")
    assert said(f"{start}outside the null band", scores=[score(p_null_band=0.01)])
    assert said("WEAT of q1: 0.5 in Model M.", scores=[score(**UNTESTED)])
    both = [score(**UNTESTED), score("n", value=0.2, **UNTESTED)]
    assert said("WEAT of q1: 0.5 in Model M; 0.2 in Model N.", scores=both)
    assert not said("WEAT of q", scores=[score(value=NAN, **UNTESTED)])
    assert not said("WEAT of q", scores=[score(query=f"q{n}") for n in range(11)])
    parts = [score(query_label="Names", subquery=name, **UNTESTED) for name in ("q1: A", "q1: B")]
    assert said("WEAT of Names: A: 0.5 in Model M.", scores=parts)
    assert said("WEAT of Names: B: 0.5 in Model M.", scores=parts)


def test_a_score_goes_by_the_measure_that_it_is():
    rows = [score(measure="r2", **UNTESTED), score(metric="rnd", measure="rnd", **UNTESTED)]
    assert said("WEAT (r2) of q1: 0.5", scores=rows)
    assert said("RND of q1: 0.5", scores=rows)


FOUR = (0.01, 0.03, 0.04, 0.04)


def test_distinct_tests_are_counted_and_not_the_rows_that_tell_of_them():
    twice = [score(), score(metric="rnd"), score(query="q2", p_value=0.2, p_holm=0.2, p_bh=0.2)]
    part = "1 of 2 distinct tests in 3 rows is significant at 0.05 (two-sided): 1 after"
    assert said(part, scores=twice)
    assert said("1 of 1 distinct test is significant at 0.05", scores=[score()])
    nothing = score(p_value=0.2, p_holm=0.2, p_bh=0.2)
    assert said(
        "0 of 1 distinct test are significant at 0.05 (two-sided): 0 after", scores=[nothing]
    )


def test_tests_that_are_counted_together_are_one_family_whatever_those_of_the_table():
    rows = [score(query=f"q{i}", p_value=p, p_holm=p, p_bh=p) for i, p in enumerate(FOUR)]
    # Holm makes 0.04 of 0.01 and 0.09 of the next; Benjamini-Hochberg makes 0.04 of all four.
    part = (
        "4 of 4 distinct tests are significant at 0.05 (two-sided): 4 after Benjamini-Hochberg over"
    )
    assert said(part, scores=rows)
    assert said("1 after Holm", scores=rows)


def test_a_second_side_of_the_same_tests_is_no_further_test():
    rows = [score(p_value=0.2, p_holm=0.2, p_bh=0.2), score(metric="rnd", alternative="greater")]
    assert said("1 of the same 1 test by RND is significant at 0.05 (right-sided)", scores=rows)
    other = [rows[0], rows[1] | {"test_id": "another"}]
    assert not said("the same tests", scores=other)


def test_why_nothing_was_tested_is_told():
    without = score(**UNTESTED | {"statistics": "none", "statistics_note": NAN})
    assert said("This study makes no tests", scores=[without])
    note = "hidden_bias has no statistic"
    lone = score(**UNTESTED | {"statistics": "none", "statistics_note": note})
    assert said(f"No score could be tested: WEAT ({note}).", scores=[lone])
    note = "a permutation test needs two target sets; a set has fewer than 10 words"
    untestable = score(**UNTESTED, statistics_note=note)
    why = "WEAT (a permutation test needs two target sets)"
    assert said(f"No score could be tested: {why}.", scores=[untestable])
    beside = [untestable, score(metric="rnd")]
    assert said("1 of 1 distinct test by RND is significant at 0.05", scores=beside)
    assert said(f"Not tested: {why}.", scores=beside)
    assert not said("makes no tests", scores=[score()])


RANDOM = "the band of random target words of similar frequency (wordfreq 3, en)"


def test_scores_that_random_words_do_not_reach_are_counted():
    rows = [score(), score(query="q2", p_null_band=0.01), score(query="q3", p_null_band=0.01)]
    told = f"2 of 3 scores with a null band by WEAT are outside {RANDOM}: random words "
    assert said(told, scores=rows)
    assert said("1 of 3 scores with a null band by WEAT is outside", scores=[*rows[:2], score("n")])
    assert not said("null band by", scores=[score(p_null_band=NAN)])


def test_a_warning_of_scores_that_random_words_reach_stands_where_there_are_such():
    clear, reached = score(p_null_band=0.01), score(query="q2")
    assert said(f"1 of 1 score with a null band by WEAT is outside {RANDOM}.", scores=[clear])
    assert said(
        f"0 of 1 score with a null band by WEAT are outside {RANDOM}: random", scores=[reached]
    )
    none = [reached, score(query="q3")]
    assert said("0 of 2 scores with a null band by WEAT are outside", scores=none)
    assert said(f"{RANDOM}: random words score as high as them.", scores=none)


def test_variants_of_one_measurement_have_null_bands_of_their_own():
    rows = [score(), score(metric="rnd", p_null_band=0.01), score(query="q2", p_null_band=0.01)]
    told = "1 of 2 scores with a null band by WEAT and 1 of 1 by RND are outside"
    assert said(told, scores=rows)


def test_a_missing_null_band_is_told_where_there_are_statistics():
    part = "No score has a null band"
    assert said(part, scores=[score(p_null_band=NAN)])
    assert not said(part, scores=[score(p_null_band=NAN), score(query="q2")])
    assert not said(part, scores=[score(**UNTESTED, statistics="none")])


def test_intervals_that_exclude_zero_are_counted_once_for_each_measurement():
    rows = [score(), score(metric="rnd"), score(query="q2", ci_low=-0.2)]
    part = "The 95% interval over target words excludes 0 in 1 of 2 signed scores, "
    assert said(part + "the interval over target and attribute words in 0 of 2.", scores=rows)
    assert said("excludes 0 in 1 of 1 signed score, the", scores=[score(ci_low=-2, ci_high=-1)])
    assert not said("interval", scores=[score(ci_low=NAN, ci_high=NAN, ci_low_both=NAN)])
    assert not said("interval over", scores=[score(metric="unsigned")])


def test_intervals_over_few_words_are_called_too_short():
    part = "Intervals of 1 of 2 signed scores are rough, as a set has fewer than 10 words."
    assert said(part, scores=[score(statistics="few_words"), score(query="q2")])
    assert not said("are rough", scores=[score()])


def test_scores_of_few_counts_are_said_to_be_no_findings():
    few = [score(metric="honest", status="few_counts"), score(query="q2")]
    sentence = "1 score of texts (Model M) has too few counts or answers for a conclusion"
    assert said(sentence, scores=few)
    assert not said("too few counts", scores=[score()])


def test_a_model_that_computes_nan_is_said_to_be_broken():
    broken = [score(value=NAN, status="not_finite"), score(query="q2")]
    assert said("Model M is broken: what it computes is NaN or infinite.", scores=broken)
    assert not said("broken", scores=[score()])


def test_items_are_not_called_words():
    scores = [score(statistics="few_words", p_null_band=NAN)]
    study = {"scores": scores, "of_items": ["weat"]}
    assert said("interval over units of items excludes what is fair in 1 of 1", **study)
    wider = {"scores": [score(ci_low_both=-1.0, ci_high_both=2.0)], "of_items": ["weat"]}
    assert said("over units of items, templates, wordings and fills in 0 of 1", **wider)
    assert said("there are fewer than 10 units or templates", **study)
    assert not said("words", **study)


def test_metrics_that_no_model_could_answer_are_named_with_the_kind_that_can():
    unanswered = [("weat", ["masked"], ["m"]), ("rnd", ["masked"], ["m"])]
    assert said("WEAT and RND need a masked model: Model M cannot be scored", unanswered=unanswered)
    either = [("weat", ["masked", "causal"], ["m"])]
    assert said("WEAT needs a masked or causal model", unanswered=either)
    assert not said("cannot be scored", unanswered=())


RIVALS = [ranked(m, NAN, "grows_with_length", "rnd") for m in "mn"]


def test_metrics_that_grow_with_length_compare_nobody():
    part = "Values of RND grow with the length of vectors: they do not compare models."
    grows, does_not = [("rnd", True, NAN, 2)], [("rnd", False, NAN, 2)]
    assert said(part, scale=grows, ranking=RIVALS)
    assert not said("grow with", scale=does_not, ranking=RIVALS)
    alone = [RIVALS[0], ranked("twin", NAN, "same_vectors", "rnd")]
    assert not said("grow with", scale=grows, ranking=alone)


def test_metrics_that_hang_on_dimension_compare_nobody():
    part = "Values of RND depend on the number of dimensions: they do not compare models."
    rivals = [ranked(m, NAN, "scales_with_dimension", "rnd") for m in "mn"]
    assert said(part, ranking=rivals)
    assert not said("number of dimensions", ranking=rivals[:1])
    assert not said("number of dimensions", ranking=RIVALS)


def test_what_length_explains_is_told_where_there_are_models_enough():
    part = "The mean length of the vectors alone explains 64% to 100% of the variance of the order "
    known = [("rnd", True, 0.64, 7), ("rnd", True, 1.0, 7)]
    assert said(part + "of 7 models by RND.", scale=known, ranking=RIVALS)
    assert said("alone explains 64% of", scale=known[:1], ranking=RIVALS)
    assert not said("explains", scale=[("rnd", True, NAN, 4)], ranking=RIVALS)


def test_undefined_scores_are_counted_by_model():
    missing = score("n", value=NAN, **UNTESTED)
    part = "Not measured: 1 of 3 scores (all in Model N); the table gives the reasons."
    assert said(part, scores=[score(), score(query="q2"), missing])
    both = [score(), score(query="q2", value=NAN), missing]
    assert said("Not measured: 2 of 3 scores (1 in Model M and 1 in Model N)", scores=both)
    assert not said("Not measured", scores=[score()])


COVERED = ["model", "word_set", "words", "found", "duplicated", "distinct"]


def test_words_that_share_a_vector_are_counted_by_set():
    rows = [
        ("m", "Flowers", 25, 22, 0, 13),
        ("m", "Insects", 25, 19, 1, 11),
        # Listed twice, but each with a vector.
        ("m", "Family", 8, 7, 2, 5),
        ("n", "Flowers", 25, 25, 0, 25),
    ]
    found = findings(
        Results(
            {"scores": pd.DataFrame([score()]), "coverage": pd.DataFrame(rows, columns=COVERED)},
            LABELS,
        )
    )
    (one,) = (each for each in found if each.about == "words_with_one_vector")
    assert one.sentence == (
        "In Model M, words share a vector in 2 of 3 sets, most in Flowers: 22 words have 13 "
        "vectors."
    )
    assert one.table == "coverage"
    # The audited model has the words of another one, which comes first.
    same = [(model, *rows[0][1:]) for model in ("n", "m")]
    frames = {
        "scores": pd.DataFrame([score()]),
        "coverage": pd.DataFrame(same, columns=COVERED),
    }
    for subject, label in (("", "Model N"), ("m", "Model M")):
        found = findings(Results(frames, LABELS, subject=subject))
        (one,) = (each for each in found if each.about == "words_with_one_vector")
        assert one.sentence.startswith(f"In {label}, words share a vector in 1 of 1 set")


@pytest.mark.parametrize(
    ("label", "shown"),
    [("<b>bold</b>", "&lt;b>bold&lt;/b>"), ("two\nlines", "two lines"), ("p < q", "p < q")],
)
def test_a_label_is_text_and_not_markup(label, shown):
    rows = pd.DataFrame([score(value=NAN, **UNTESTED), score("n")])
    text = as_markdown(label, findings(Results({"scores": rows}, LABELS | {"m": label})))
    assert text.startswith(f"## {shown}\n\n- ")
    assert f"all in {shown})" in text


def test_findings_are_read_as_they_were_written(tmp_path):
    rows = pd.DataFrame([score(), score("n", query="q2", p_value=0.2, value=NAN)])
    found = findings(Results({"scores": rows}, LABELS, signed=["weat"]))
    write_conclusions("A study", found, tmp_path / "conclusions.md", tmp_path / "conclusions.json")
    assert read_findings(tmp_path / "conclusions.json") == found
    assert (tmp_path / "conclusions.md").read_text() == as_markdown("A study", found)
    assert {one.about for one in found} > {"strongest_associations", "undefined_scores"}
