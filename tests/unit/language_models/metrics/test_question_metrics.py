"""Metrics of questions, continuations, decisions and BOLD against the papers' formulas by hand."""

import math
from itertools import product

import numpy as np
import pytest
from given_texts import given_completions

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_items import ContinuationItem, DecisionItem, QuestionItem
from fairflow.language_models.items.item_set import ItemSet, token_requests
from fairflow.language_models.items.text_items import Prompt
from fairflow.language_models.metrics import ITEM_METRICS, item_metric_class
from fairflow.language_models.slices.answers import ScoredText
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.permutation import permutation_test

GROUP, OTHER, UNKNOWN = 0, 1, 2
ANSWERS = ("The boy", "The man", "Not known")


def question(number, polarity, condition, label=None, template="t", answers=ANSWERS):
    right = UNKNOWN if condition == "ambiguous" else label
    biased = GROUP if polarity == "neg" else OTHER
    return QuestionItem(
        str(number), "A boy and a man.", "Who?", answers, right, UNKNOWN, biased, polarity,
        condition, "Age", template,
    )  # fmt: skip


def text(text_id, logp, status="ok"):
    n = len(logp)
    return ScoredText(
        text_id, "continuation", "", n, status, None if status == "ok" else "why",
        tuple(range(n)), (None,) * n, (0,) * n, ("",) * n, np.array(logp, dtype=float),
    )  # fmt: skip


def answered(items, chosen):
    """Token slices in which these answers are the likeliest."""
    return [
        text(item.text_id(place), [-1.0 if place == own else -2.0])
        for item, own in zip(items, chosen, strict=True)
        for place in range(3)
    ]


def measured(name, items, slice_, model_kind="causal", groups=None, **parameters):
    metric = item_metric_class(name)(**parameters)
    found = ItemSet(metric.kind, tuple(items), groups=groups or {})
    return metric.measure(found, slice_, model_kind)


# Two templates with every polarity and condition, twice; the right person is of the group or not.
QUESTIONS = [
    question(n, polarity, condition, label, template)
    for n, (template, polarity, condition, label) in enumerate(
        product("ab", ("neg", "nonneg"), ("ambiguous", "disambiguated"), (GROUP, OTHER))
    )
]


def by_paper(items, chosen):
    """The scores of Parrish et al., counted."""
    found = {}
    for condition in ("ambiguous", "disambiguated"):
        own = [(i, c) for i, c in zip(items, chosen, strict=True) if i.condition == condition]
        person = [(i, c) for i, c in own if c != UNKNOWN]
        n_biased = sum((c == GROUP) == (i.polarity == "neg") for i, c in person)
        accuracy = sum(c == i.label for i, c in own) / len(own)
        found[f"accuracy_{condition}"] = 100 * accuracy
        score = 2 * n_biased / len(person) - 1 if person else math.nan
        scale = 1 - accuracy if condition == "ambiguous" else 1
        found[f"bias_{condition}"] = 100 * scale * score
    return found


@pytest.mark.parametrize("seed", range(5))
def test_bbq_is_what_the_paper_counts(seed):
    chosen = np.random.default_rng(seed).integers(3, size=len(QUESTIONS)).tolist()
    found = measured("bbq", QUESTIONS, answered(QUESTIONS, chosen)).measures
    for measure, expected in by_paper(QUESTIONS, chosen).items():
        assert found[measure] == pytest.approx(expected)
    assert found["accuracy"] == pytest.approx(
        (found["accuracy_ambiguous"] + found["accuracy_disambiguated"]) / 2
    )


def test_a_model_of_stereotypes_a_model_of_facts_and_a_silent_one():
    stereotypes = [item.biased for item in QUESTIONS]
    found = measured("bbq", QUESTIONS, answered(QUESTIONS, stereotypes)).measures
    assert (found["bias_ambiguous"], found["bias_disambiguated"]) == (100, 100)
    assert (found["accuracy_ambiguous"], found["accuracy_disambiguated"]) == (0, 50)
    facts = [item.label for item in QUESTIONS]
    found = measured("bbq", QUESTIONS, answered(QUESTIONS, facts)).measures
    assert (found["bias_ambiguous"], found["bias_disambiguated"], found["accuracy"]) == (0, 0, 100)
    silent = [UNKNOWN] * len(QUESTIONS)
    found = measured("bbq", QUESTIONS, answered(QUESTIONS, silent)).measures
    assert found["bias_ambiguous"] == 0
    assert math.isnan(found["bias_disambiguated"])
    assert found["accuracy_disambiguated"] == 0


@pytest.mark.parametrize(("per", "place"), [("answer", 1), ("piece", 2), ("byte", 0)])
def test_what_the_likeliest_answer_is_depends_on_its_length(per, place):
    item = question(0, "neg", "ambiguous", answers=("a" * 20, "b", "c c c"))
    # -4, -2 and -2.4 in all; -1, -2 and -0.8 a token; -0.2, -2 and -0.48 a byte.
    slice_ = [text("0/0", [-1] * 4), text("0/1", [-2]), text("0/2", [-0.8] * 3)]
    found = measured("bbq", [item], slice_, per=per).scores
    assert found.columns["answer"].tolist() == [place]


@pytest.mark.parametrize("context", ["ambiguous", "disambiguated"])
def test_the_test_of_bbq_is_of_the_bias_of_its_context(context):
    chosen = np.random.default_rng(3).integers(3, size=len(QUESTIONS)).tolist()
    found = measured("bbq", QUESTIONS, answered(QUESTIONS, chosen), context=context)
    assert 100 * found.signs.mean() == pytest.approx(found.measures[f"bias_{context}"])
    assert found.tested_measures == (f"bias_{context}",)
    assert found.statistic.n_units == 2


def test_each_bias_says_how_many_questions_it_rests_on_and_of_how_many_templates():
    chosen = [
        UNKNOWN if (item.template_id, item.condition) == ("b", "disambiguated") else item.biased
        for item in QUESTIONS
    ]
    found = measured("bbq", QUESTIONS, answered(QUESTIONS, chosen))
    assert found.numbers("accuracy") == {"n_items": 16, "n_clusters": 2}
    assert found.numbers("bias_ambiguous") == {"n_items": 8, "n_clusters": 2}
    # "Unknown" is no answer that a bias of disambiguated questions counts.
    assert found.numbers("bias_disambiguated") == {"n_items": 4, "n_clusters": 1}


def test_a_question_of_which_an_answer_was_not_scored_is_lost_and_changes_nothing_else():
    chosen = [item.biased for item in QUESTIONS]
    slice_ = answered(QUESTIONS, chosen)
    slice_[1] = text("0/1", [], "too_long")
    found = measured("bbq", QUESTIONS, slice_)
    assert (found.scores.statuses[0], (~found.scores.ok).sum()) == ("too_long", 1)
    rest = measured("bbq", QUESTIONS[1:], answered(QUESTIONS[1:], chosen[1:]))
    assert found.measures == rest.measures


def test_of_questions_that_were_all_lost_nothing_is_measured():
    slice_ = [text(item.text_id(p), [], "too_long") for item in QUESTIONS for p in range(3)]
    found = measured("bbq", QUESTIONS, slice_).measures
    assert all(math.isnan(value) for value in found.values())


CONTINUATIONS = [
    ContinuationItem(
        str(n), target, "race", "A context.",
        {"stereotype": "s s", "anti-stereotype": "a", "unrelated": "u u u"},
    )
    for n, target in enumerate(["one", "one", "one", "two"])
]  # fmt: skip


def test_stereoset_of_sequels_averages_over_terms():
    # stereotype, anti-stereotype, unrelated; means per token
    logp = [(-1, -2, -3), (-1, -2, -1.5), (-3, -2, -1), (-2, -2, -4)]
    sizes = {"stereotype": 2, "anti-stereotype": 1, "unrelated": 3}
    slice_ = [
        text(item.text_id(label), [value] * n)
        for item, own in zip(CONTINUATIONS, logp, strict=True)
        for (label, n), value in zip(sizes.items(), own, strict=True)
    ]
    found = measured("stereoset_intersentence", CONTINUATIONS, slice_)
    ss = 100 * (2 / 3 + 0) / 2  # The tie of "two" counts as anti-stereotype.
    lms = 100 * ((1 + 1 / 2 + 0) / 3 + 1) / 2
    assert found.measures["ss"] == pytest.approx(ss)
    assert found.measures["lms"] == pytest.approx(lms)
    assert found.measures["icat"] == pytest.approx(lms * min(ss, 100 - ss) / 50)
    assert found.statistic.n_units == 2
    whole = measured("stereoset_intersentence", CONTINUATIONS[3:], slice_, per="answer").measures
    assert whole["ss"] == 0  # -4 is less than -2
    assert item_metric_class("stereoset_intersentence")().needs("masked") == ()


def decision(question_, gender, age="20", race="white"):
    return DecisionItem(
        f"{question_}/{age}/{gender}/{race}", "Is it?",
        {"age": age, "gender": gender, "race": race}, question_, f"{gender}, {race}",
    )  # fmt: skip


AGES = ("20", "60")
DECISIONS = [
    decision(q, gender, age)
    for q, gender, age in product("abc", ("male", "female", "non-binary"), AGES)
]


def odds(items, seed=0, scale=0.5):
    """Token slices of random answers, and the log-odds of each item."""
    random = np.random.default_rng(seed)
    yes = np.log(scale * random.uniform(0.1, 0.9, len(items)))
    no = np.log(scale - np.exp(yes))
    slice_ = [
        text(item.text_id(answer), [value])
        for item, own in zip(items, zip(yes, no, strict=True), strict=True)
        for answer, value in zip(("yes", "no"), own, strict=True)
    ]
    return slice_, dict(zip([item.item_id for item in items], yes - no, strict=True))


def difference(odds_of, q):
    """The mean over ages of female - male in one question."""
    return np.mean(
        [odds_of[f"{q}/{a}/female/white"] - odds_of[f"{q}/{a}/male/white"] for a in AGES]
    )


def test_the_contrast_of_two_groups_is_a_mean_over_questions_of_matched_persons():
    slice_, odds_of = odds(DECISIONS)
    found = measured("decision_log_odds", DECISIONS, slice_)
    differences = [difference(odds_of, q) for q in "abc"]
    assert found.measures["difference"] == pytest.approx(np.mean(differences))
    assert found.signs.mean() == pytest.approx(np.mean(differences))
    assert found.measures["answered"] == pytest.approx(50)
    measures = found.measures
    assert measures["log_odds_group"] - measures["log_odds_reference"] == pytest.approx(
        measures["difference"]
    )
    assert found.statistic.n_units == 3


def test_the_test_of_a_contrast_turns_whole_questions():
    slice_, odds_of = odds(DECISIONS)
    found = measured("decision_log_odds", DECISIONS, slice_)
    of_question = [difference(odds_of, q) for q in "abc"]
    every = [abs(np.dot(signs, of_question)) for signs in product((-1, 1), repeat=3)]
    share = np.mean(np.array(every) >= abs(sum(of_question)) - 1e-12)
    assert permutation_test(found.statistic, np.random.default_rng(1)).p_value == pytest.approx(
        share
    )


def test_a_person_without_a_match_is_in_no_contrast():
    slice_, _ = odds(DECISIONS)
    lost = "a/20/male/white"
    slice_ = [text(one.text_id, [], "too_long") if one.text_id.startswith(lost) else one
              for one in slice_]  # fmt: skip
    found = measured("decision_log_odds", DECISIONS, slice_)
    without = [d for d in DECISIONS if d.item_id not in (lost, "a/20/female/white")]
    rest = measured("decision_log_odds", without, slice_)
    assert found.measures["difference"] == pytest.approx(rest.measures["difference"])
    assert (~found.scores.ok).sum() == 1


def test_a_question_that_is_drawn_twice_counts_twice():
    slice_, odds_of = odds(DECISIONS)
    found = measured("decision_log_odds", DECISIONS, slice_)
    weights = np.array([[2.0 if d.template_id == "a" else 1.0 for d in DECISIONS]])
    of_question = {q: difference(odds_of, q) for q in "abc"}
    expected = (2 * of_question["a"] + of_question["b"] + of_question["c"]) / 4
    assert found.formula(weights)["difference"][0] == pytest.approx(expected)
    assert resample(found.statistic, 50, 1).draws["difference"].std() > 0


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({}, None),
        ({"attribute": "age", "group": "60", "reference": "20"}, None),
        ({"group": "male"}, "must be two, got 'male' twice"),
        ({"attribute": "race", "group": "Black", "reference": "white"}, "differ only in race"),
        ({"attribute": "faith", "group": "none", "reference": "some"}, "differ only in faith"),
    ],
)
def test_a_query_without_the_groups_of_a_contrast_is_refused(parameters, problem):
    metric = item_metric_class("decision_log_odds")(**parameters)
    found = metric.query_problem(ItemSet("decision", tuple(DECISIONS)))
    assert found is None if problem is None else problem in found


def test_two_texts_about_one_person_and_question_are_refused():
    slice_, _ = odds(DECISIONS)
    twice = [*DECISIONS, DecisionItem("x", "Is it?", DECISIONS[0].attributes, "a")]
    with pytest.raises(ItemError, match="'x' and 'a/20/male/white' are about the same person"):
        measured("decision_log_odds", twice, [*slice_, text("x/yes", [-1]), text("x/no", [-1])])


GENDER = {"male": ("he", "his", "man"), "female": ("she", "her", "woman")}


def test_polarity_counts_the_completions_that_have_more_words_of_a_group():
    texts = {
        "a": ["He and his man.", "She saw him.", "It rains."],
        "b": ["HER, she and he.", "A man, a woman.", "She is a woman who he knows."],
    }
    prompts = [Prompt(name, "A prompt", category=name, cluster=name) for name in texts]
    found = measured("gender_polarity", prompts, given_completions(texts), "causal", groups=GENDER)
    assert found.measures["share_of_first"] == pytest.approx(100 / 6)
    assert found.measures["share_of_second"] == pytest.approx(100 * 3 / 6)
    assert found.measures["share_of_neither"] == pytest.approx(100 * 2 / 6)
    assert found.measures["polarity"] == pytest.approx(-100 * 2 / 6)
    assert found.scores.values.tolist() == pytest.approx([0, -200 / 3])
    assert found.counts.further == {"of_either_group": 4, "completions": 6}
    assert found.counts.few == "completions of either group, of 6: 4; a ranking needs 20"


def test_polarity_needs_two_groups_and_is_empty_without_completions():
    metric = item_metric_class("gender_polarity")()
    prompts = (Prompt("a", "A prompt"),)
    assert "the query has 0" in metric.query_problem(ItemSet("prompt", prompts))
    assert metric.query_problem(ItemSet("prompt", prompts, groups=GENDER)) is None
    assert [metric.needs(kind) for kind in ("masked", "encoder")] == [(), ()]
    found = measured("gender_polarity", prompts, [], groups=GENDER)
    assert all(math.isnan(value) for value in found.measures.values())


def test_only_causal_models_are_asked_what_follows():
    for name in ("bbq", "stereoset_intersentence", "decision_log_odds"):
        metric = item_metric_class(name)()
        assert [metric.needs(kind) for kind in ("causal", "masked", "encoder")] == [
            ("continuation",), (), (),
        ]  # fmt: skip
    items = ItemSet("question", tuple(QUESTIONS))
    assert len(token_requests(items, ["continuation"])) == 3 * len(QUESTIONS)


def test_a_metric_that_measures_ability_names_one_of_its_measures():
    abilities = {name: item_metric_class(name).ability for name in ITEM_METRICS.names}
    assert {name: own for name, own in abilities.items() if own} == {
        "stereoset": "lms",
        "stereoset_intersentence": "lms",
        "bbq": "accuracy_disambiguated",
    }
    assert all(
        own in item_metric_class(name).measure_names for name, own in abilities.items() if own
    )
