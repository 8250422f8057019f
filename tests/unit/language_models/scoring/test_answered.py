"""Answers in text: each has an outcome, only those that are read have a score, draws cluster."""

import json

import numpy as np
import pytest
from answer_cells import read_texts, write_completions

from fairflow.language_models.errors import NOT_PARSABLE, Invalid
from fairflow.language_models.items.asking import choice_of, questions
from fairflow.language_models.items.choice_items import (
    CandidateItem,
    ContinuationItem,
    DecisionItem,
    QuestionItem,
)
from fairflow.language_models.items.item_set import ItemSet, token_requests
from fairflow.language_models.items.text_items import PairItem, Prompt
from fairflow.language_models.metrics import item_metric_class
from fairflow.language_models.scoring.answered import measured
from fairflow.language_models.scoring.given_answers import taken
from fairflow.language_models.scoring.item_metric import ItemMetric
from fairflow.language_models.slices.answer_files import read_answers
from fairflow.language_models.slices.answers import Completion

from ..metrics.answers import text_of

QUESTIONS = tuple(
    QuestionItem(
        f"{template}.{number}",
        *("Ann and Bob came.", "Who was late?", ("Ann", "Bob", "Not known")),
        *(2, 2, 0, "neg", "ambiguous"),
        template_id=template,
    )
    for template in ("t1", "t2", "t3", "t4")
    for number in range(3)
)


def bbq(says, draws=1):
    """BBQ of a model that says this to each question and rank."""
    asked = questions(ItemSet("question", QUESTIONS), "q", draws)
    answers = [Completion(one.item, one.rank, says(one)) for one in asked]
    return measured(item_metric_class("bbq")(), ItemSet("question", QUESTIONS), answers, "answers")


@pytest.mark.parametrize(
    ("says", "bias"),
    [
        (lambda asked: "(A)", 100),
        (lambda asked: "The answer is B.", -100),
        (lambda asked: "Not known", 0),
        (lambda asked: "AB"[asked.rank % 2], 0),
    ],
)
def test_a_model_that_always_says_one_thing_has_the_bias_of_that(says, bias):
    found = bbq(says, draws=4)
    assert found.measures["bias_ambiguous"] == bias
    assert found.outcomes.measures["answers_read"] == 100


def test_each_outcome_has_its_share_of_all_answers():
    cut = Completion("t1.3", 0, "I would have to think about", ended=False)
    given = {
        "t1.0": Completion("t1.0", 0, "  \n"),
        "t1.1": Completion("t1.1", 0, "Je ne sais pas."),
        "t2.0": Completion("t2.0", 0, "I cannot assist with that."),
        "t2.1": Completion("t2.1", 0, "Let me think about this", ended=False),
        "t3.0": Completion("t3.0", 0, "B"),
        # The limit of length ended these while the model still reasoned.
        "t3.1": Completion("t3.1", 0, "<think>Is it B? Or", ended=False),
        "t4.0": Completion("t4.0", 0, "", ended=False),
    }
    found = measured(
        item_metric_class("bbq")(),
        ItemSet("question", QUESTIONS),
        [*given.values(), cut],
        "answers",
    )
    shares = {name: round(12 * share / 100) for name, share in found.outcomes.measures.items()}
    assert shares == {
        "answers_read": 1,
        "answers_refused": 1,
        "answers_not_parsable": 1,
        "answers_empty": 1,
        "answers_cut": 3,
        "answers_missing": 5,
    }


PAIRS = tuple(PairItem(str(n), f"She is {n}.", f"He is {n}.") for n in range(4))


def likelihoods(given, metric="pair_likelihood", **parameters):
    answers = [Completion(one, 0, None, likelihoods=own) for one, own in given.items()]
    made = item_metric_class(metric)(**parameters)
    return measured(made, ItemSet("pair", PAIRS), answers, "answers")


def test_an_item_without_its_likelihoods_is_missing():
    found = likelihoods({"0": {"more": -1.0, "less": -2.0}, "1": {"more": -1.0}})
    assert found.scores.statuses == ("ok", "missing", "missing", "missing")
    assert found.outcomes.measures["answers_missing"] == 75
    assert found.counts.few.startswith("percent of the 4 answers that are read: 25")


def test_refused_completions_count_for_no_prompt():
    prompts = ItemSet("prompt", (Prompt("a", "The"), Prompt("b", "A")), lexicon=("fool",))
    texts = {"a": ["fool", "I'm sorry, but I cannot do that."], "b": ["nice", "good"]}
    answers = [Completion(p, rank, t) for p, own in texts.items() for rank, t in enumerate(own)]
    found = measured(item_metric_class("honest")(), prompts, answers, "answers")
    assert found.measures["score"] == np.mean([1.0, 0.0])
    assert found.outcomes.measures["answers_refused"] == 25
    assert found.counts.few.startswith("percent of the 4 answers that are read: 75")


class _Reads(ItemMetric):
    kind, title, citation, measure_names = "decision", "Reads", "x", ("mean",)
    asks, item_value = {"causal": "completions"}, "yes"

    def read(self, item, text):
        if text not in ("yes", "no"):
            raise Invalid(NOT_PARSABLE, "neither")
        return {"yes": float(text == "yes")}


def test_every_draw_is_a_row_with_its_own_name():
    items = ItemSet("decision", (DecisionItem("d", "Hire?", {"age": "20"}, "hire"),))
    answers = [Completion("d", rank, text) for rank, text in enumerate(("yes", "no", "maybe"))]
    found = measured(_Reads(), items, answers, "answers").scores
    assert found.item_ids == ("d#0", "d#1", "d#2")
    assert {item.cluster_id for item in found.items} == {"hire"}
    assert found.statuses == ("ok", "ok", NOT_PARSABLE)


TRIPLE = {"stereotype": "s", "anti-stereotype": "a", "unrelated": "u"}
ASKED = {
    "bbq": ItemSet("question", QUESTIONS),
    "pair_likelihood": ItemSet("pair", PAIRS),
    "crows_pairs_score": ItemSet("pair", PAIRS),
    "stereoset": ItemSet(
        "candidate",
        tuple(
            CandidateItem(
                f"{n}", "term", "c", "It is BLANK.", {k: f"It is {v}." for k, v in TRIPLE.items()}
            )
            for n in range(4)
        ),
    ),
    "stereoset_intersentence": ItemSet(
        "continuation",
        tuple(ContinuationItem(f"{n}", "term", "c", "It.", TRIPLE) for n in range(4)),
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_likelihoods_that_were_written_and_read_again_give_the_same_bits(name, tmp_path):
    parameters = {"form": "likelihood"} if name == "crows_pairs_score" else {}
    metric, items = item_metric_class(name)(**parameters), ASKED[name]
    random = np.random.default_rng(5)
    texts = [
        text_of(one, -5 * random.random(3)) for one in token_requests(items, metric.needs("causal"))
    ]
    direct = metric.measure(items, texts, "causal")
    item_of = {item.item_id: item for item in items.items}
    given = {}
    for text in texts:
        item = max((i for i in item_of if text.text_id.startswith(i)), key=len)
        given.setdefault(item, {})[choice_of(item_of[item], text.text_id)] = [*text.logp]
    path = tmp_path / "answers.jsonl"
    asked = questions(items, "q")
    assert all({*one.texts} == {*given[one.item]} for one in asked)
    path.write_text(
        "".join(json.dumps({"id": one.id, "likelihoods": given[one.item]}) + "\n" for one in asked)
    )
    completions, _ = taken(items, "q", read_answers(path))
    kept = read_texts(write_completions(completions, tmp_path / "answers.parquet"))
    again = measured(metric, items, kept, "answers")
    values = [[*found.measures.values()] for found in (again, direct)]
    assert np.isfinite(values[1][0])
    assert np.array_equal(*values, equal_nan=True)
