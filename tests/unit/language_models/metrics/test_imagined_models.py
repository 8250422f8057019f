"""Imagined models: one thing is known of each, and its scores follow from a metric's definition.

A model is a function: how likely it finds a text of an item, or what it writes after a prompt. The
expected scores are worked out by hand from the papers' definitions, never by the library.
"""

from dataclasses import replace
from itertools import permutations, product
from math import log, nan
from pathlib import Path

import numpy as np
import pytest
from given_texts import given_completions

from fairflow.files.checksums import identity_digest
from fairflow.language_models.errors import NOT_PARSABLE, Invalid
from fairflow.language_models.items.answer_items import WordAssociationItem
from fairflow.language_models.items.choice_items import (
    LABELS,
    CandidateItem,
    ContinuationItem,
    DecisionItem,
    QuestionItem,
)
from fairflow.language_models.items.item_set import ItemSet, token_requests
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import PairItem, Prompt, SentenceItem
from fairflow.language_models.metrics import ITEM_METRICS, item_metric_class
from fairflow.language_models.scoring.item_metric import item_scores

from .answers import text_of

# What a text is likelier than another by (natural logarithms): both tokens together, or one.
MORE, HALF = 2.0, 1.0


def asked(metric, items, model_kind, likes):
    """What the model says of each text: two equal tokens; the second is shared."""
    item_of = {item.item_id: item for item in items}
    found = []
    for request in token_requests(ItemSet(metric.kind, items), metric.needs(model_kind)):
        item, _, label = request.text_id.partition("/")
        logp = likes(item_of[item], label, request.variant)
        text = text_of(request, [logp / 2, logp / 2], [False, True])
        found.append(replace(text, attention=np.ones(2)))
    return found


def says(metric, items, model_kind, likes, **parameters):
    """The measures of a metric of likelihoods."""
    made = item_metric_class(metric)(**parameters)
    slice_ = asked(made, items, model_kind, likes)
    return made.measure(ItemSet(made.kind, items), slice_, model_kind).measures


def writes(metric, texts, **counted):
    """The measures of a metric of completions: prompt -> texts."""
    made = item_metric_class(metric)()
    items = ItemSet(
        "prompt", tuple(Prompt(one, "A prompt", cluster=one) for one in texts), **counted
    )
    return made.measure(items, given_completions(texts), "causal").measures


def holds(found, expected):
    """Whether all that is expected was found; measures that are not named are left open."""
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def named(names, values):
    """Expected measures, written as a row of values."""
    return dict(zip(names.split(), values, strict=True))


def either(condition):
    """The log-probability of what is liked, or not."""
    return -1.0 if condition else -1.0 - MORE


# Models of pairs: like the stereotype, its contrary, the disadvantaged group, either in turn.
PAIRS = tuple(
    PairItem(str(n), f"more {n}", f"less {n}", direction)
    for n, direction in enumerate(["stereo", "stereo", "antistereo", "antistereo"] * 2)
)
PAIR_MEASURES = "preference metric_score stereotype_score anti_stereotype_score neutral"
OF_PAIRS = {
    "stereotypes": (lambda pair, side: side == "more", (50, 100, 100, 100, 0), 1),
    "the contrary": (lambda pair, side: side == "less", (-50, 0, 0, 0, 0), -1),
    "the same group": (
        lambda pair, side: (side == "more") == (pair.direction == "stereo"), (0, 50, 100, 0, 0), 0,
    ),
    "a coin": (
        lambda pair, side: (side == "more") == (int(pair.item_id) % 2 == 0), (0, 50, 50, 50, 0), 0,
    ),
    # The authors count a tie as no win of the stereotype; a preference it is not either.
    "no knowledge": (lambda pair, side: True, (0, 0, nan, nan, 8), 0),
}  # fmt: skip


@pytest.mark.parametrize("model", OF_PAIRS)
@pytest.mark.parametrize(
    ("metric", "model_kind", "parameters", "cluster"),
    [
        ("crows_pairs_score", "masked", {"form": "shared"}, HALF),
        ("crows_pairs_score", "masked", {"form": "differing"}, HALF),
        ("crows_pairs_score", "causal", {"form": "likelihood"}, MORE),
        ("aul_preference", "masked", {}, HALF),
        ("aul_preference", "masked", {"weighted": True}, HALF),
        ("pair_likelihood", "masked", {}, HALF),
        ("pair_likelihood", "causal", {}, MORE),
    ],
)
def test_pairs(metric, model_kind, parameters, cluster, model):
    likes, values, difference = OF_PAIRS[model]
    found = says(
        metric, PAIRS, model_kind, lambda pair, side, _: either(likes(pair, side)), **parameters
    )
    expected = named(PAIR_MEASURES, values) | {"mean_difference": cluster * difference}
    holds(found, {name: value for name, value in expected.items() if name in found})


# Two terms of 6 and 12 examples; in each every order of the three is there as often.
ORDERS = list(permutations(range(3)))
TERMS = ["woman"] * 6 + ["man"] * 12
CANDIDATES = tuple(
    CandidateItem(str(n), term, "gender", "It is BLANK.", {one: f"It is {one}." for one in LABELS})
    for n, term in enumerate(TERMS)
)
CONTINUATIONS = tuple(
    ContinuationItem(str(n), term, "gender", "A context.", {one: f"It is {one}." for one in LABELS})
    for n, term in enumerate(TERMS)
)
# Likings of stereotype, contrary and nonsense in the n-th example; preference, ss, lms and icat.
OF_TERMS = {
    "stereotypes": (lambda n: (2, 1, 0), (50, 100, 100, 0)),
    "the contrary": (lambda n: (1, 2, 0), (-50, 0, 100, 0)),
    "sense, else a coin": (lambda n: (1 + n % 2, 2 - n % 2, 0), (0, 50, 100, 100)),
    "a coin": (lambda n: ORDERS[n % 6], (0, 50, 50, 50)),
    "nonsense": (lambda n: (1, 0, 2), (50, 100, 0, 0)),
    # The authors count a tie as the contrary and as no sense; a preference it is not.
    "no knowledge": (lambda n: (0, 0, 0), (0, 0, 0, 0)),
}


@pytest.mark.parametrize("model", OF_TERMS)
@pytest.mark.parametrize(
    ("metric", "items", "model_kind"),
    [
        ("stereoset", CANDIDATES, "masked"),
        ("stereoset", CANDIDATES, "causal"),
        ("stereoset_intersentence", CONTINUATIONS, "causal"),
    ],
)
def test_stereoset(metric, items, model_kind, model):
    likings, values = OF_TERMS[model]

    def likes(item, label, _):
        return -9.0 + likings(int(item.item_id))[LABELS.index(label)]

    found = says(metric, items, model_kind, likes)
    holds(found, named("preference ss lms icat", values))


# Each polarity, condition and right person, the answers in each order.
ROLES = ("the group", "the other person", "unknown")
QUESTIONS = tuple(
    QuestionItem(
        f"{n}", "Two came.", "Who?", order,
        order.index("unknown" if condition == "ambiguous" else right), order.index("unknown"),
        order.index("the group" if polarity == "neg" else "the other person"), polarity, condition,
        template_id=f"t{n % 2}",
    )
    for n, (polarity, condition, right, order, _) in enumerate(
        product(
            ("neg", "nonneg"), ("ambiguous", "disambiguated"), ROLES[:2], permutations(ROLES),
            range(2),
        )
    )
)  # fmt: skip
BBQ_MEASURES = (
    "bias_ambiguous bias_disambiguated accuracy_ambiguous accuracy_disambiguated accuracy"
)
GUESSED = (0, 0, 100 / 3, 100 / 3, 100 / 3)
# The answer that is given to an item, by its place.
OF_ANSWERS = {
    "stereotypes": (lambda item: item.biased, (100, 100, 0, 50, 25)),
    "the contrary": (lambda item: 3 - item.biased - item.unknown, (-100, -100, 0, 50, 25)),
    # The group steals, and it does not steal: no stereotype.
    "the same group": (lambda item: item.answers.index("the group"), (0, 0, 0, 50, 25)),
    "the group, where asked who does": (
        lambda item: item.biased if item.polarity == "neg" else item.unknown,
        (50, 100, 50, 25, 37.5),
    ),
    "a coin": (
        lambda item: item.answers.index(ROLES[int(item.item_id) % 2]), (0, 0, 0, 50, 25),
    ),
    "facts": (lambda item: item.label, (0, 0, 100, 100, 100)),
    "silence": (lambda item: item.unknown, (0, nan, 100, 0, 50)),
    "the first answer": (lambda item: 0, GUESSED),
    # Of equally likely answers the first is taken.
    "no knowledge": (lambda item: None, GUESSED),
}  # fmt: skip


@pytest.mark.parametrize("model", OF_ANSWERS)
def test_bbq(model):
    chosen, values = OF_ANSWERS[model]
    found = says("bbq", QUESTIONS, "causal", lambda i, place, _: either(int(place) == chosen(i)))
    holds(found, named(BBQ_MEASURES, values))


# The feminine version first; one, two and three quarters of women, twice each.
WINOGENDER = tuple(
    PairItem(str(n), "she", "he", cluster=str(n % 3), value=(1 + n % 3) / 4) for n in range(6)
)
# Log-odds of "she"; correlation, that of ranks, slope and mean.
OF_SHARES = {
    "shares": (lambda share: share, (1, 1, 1, 0.5)),
    "the contrary": (lambda share: -share, (-1, -1, -1, -0.5)),
    "women": (lambda share: 1, (nan, nan, 0, 1)),
    # Heads for both ends, tails for the middle.
    "a coin": (lambda share: -2 if share == 0.5 else 1, (0, 0, 0, 0)),
    "no knowledge": (lambda share: 0, (nan, nan, 0, 0)),
}


@pytest.mark.parametrize("model", OF_SHARES)
@pytest.mark.parametrize(("model_kind", "cluster"), [("causal", 2), ("masked", 1)])
def test_winogender(model, model_kind, cluster):
    odds, (correlation, of_ranks, slope, mean) = OF_SHARES[model]
    found = says(
        "share_correlation", WINOGENDER, model_kind,
        lambda item, side, _: 2 * odds(item.value) if side == "more" else 0.0,
    )  # fmt: skip
    names = "correlation rank_correlation slope mean_log_odds"
    holds(found, named(names, (correlation, of_ranks, cluster * slope, cluster * mean)))


# Professions of women, of men and of both; of each two sentences about a woman and a man.
SLOTS = tuple(
    SlotItem(
        str(n), "t", "{target} is a {fill}.", (("she",), ("he",)), fill, ("female", "male"), group
    )
    for n, (fill, group) in enumerate(
        [("nurse", "female"), ("plumber", "male"), ("crossing guard", "balanced")] * 2
    )
)
SLOT_MEASURES = {
    "lpbs": "mean mean_absolute percent_positive",
    "cbs": "mean",
}
# What a profession adds to the words of a woman and of a man; LPBS and CBS.
OF_SLOTS = {
    "stereotypes": (
        lambda n, group: {"female": (1, 0), "male": (0, 1), "balanced": (0, 0)}[group],
        ((0, 2 / 3, 100 / 3), (1 / 3,)),
    ),
    "the contrary": (
        lambda n, group: {"female": (0, 1), "male": (1, 0), "balanced": (0, 0)}[group],
        ((0, 2 / 3, 100 / 3), (1 / 3,)),
    ),
    "women": (lambda n, group: (1, 0), ((1, 1, 100), (1 / 2,))),
    "a coin": (
        lambda n, group: (1, 0) if n < 3 else (0, 1),
        ((0, 1, 50), (1 / 2,)),
    ),
    "no knowledge": (lambda n, group: (0, 0), ((0, 0, 0), (0,))),
}


# Without a profession "she" may be likelier than "he": that is in the prior, and in no score.
@pytest.mark.parametrize("she_anyway", [0, 3])
@pytest.mark.parametrize("model", OF_SLOTS)
def test_lpbs_and_cbs(model, she_anyway):
    added, rows = OF_SLOTS[model]

    def likes(item, label, variant):
        group = int(label.partition("/")[0])
        known = added(int(item.item_id), item.category)[group] if "posterior" in variant else 0
        return -9.0 + she_anyway * (group == 0) + known

    for (metric, names), values in zip(SLOT_MEASURES.items(), rows, strict=True):
        holds(says(metric, SLOTS, "masked", likes), named(names, values))


@pytest.mark.parametrize(("tokens", "expected"), [(1, 0), (1000, -log(1000))])
def test_a_model_that_finds_all_tokens_alike_has_the_likelihood_of_their_number(tokens, expected):
    texts = tuple(SentenceItem(str(n), "A text.") for n in range(4))

    def likes(item, *_):
        return 2 * -log(tokens)

    # The sum over two tokens.
    for variant, model_kind in (("masked", "masked"), ("causal", "causal")):
        found = says("pseudo_log_likelihood", texts, model_kind, likes, variant=variant)
        holds(found, {"mean": 2 * expected})


# In every second question yes is bad for the person.
DECISIONS = tuple(
    DecisionItem(
        f"{question}.{age}.{gender}", "Is it?", {"age": age, "gender": gender}, question,
        against=question in "bd",
    )
    for question, age, gender in product("abcd", ("20", "60"), ("female", "male"))
)  # fmt: skip


@pytest.mark.parametrize(
    ("yes", "expected"),
    [
        (lambda item, woman: woman != item.against, (100, 100, 0)),
        (lambda item, woman: woman == item.against, (-100, 0, 100)),
        # In half of the questions yes is bad for the person.
        (lambda item, woman: True, (0, 50, 50)),
        (lambda item, woman: item.attributes["age"] == "20", (0, 50, 50)),
    ],
    ids=["women", "men", "yes", "a coin"],
)
def test_decisions_in_text(yes, expected):
    def answer(item):
        return "Yes." if yes(item, item.attributes["gender"] == "female") else "No."

    _, found = says_of("decision_share", DECISIONS, answer)
    assert found == named("difference share_group share_reference", expected)


GROUPS = {"men": ("he", "man"), "women": ("she",)}
OF_TEXTS = {
    "women": (
        {"a": ["she is a nurse", "she"], "b": ["she, a guard", "she"]},
        {"distance": 1 / 2, "distance_per_term": 1 / 2},
        {"mean_distance": 1 / 2},
    ),
    "stereotypes": (
        {"a": ["she is a nurse"] * 2, "b": ["he is a guard"] * 2},
        # Men have two words: of counts per term a third is theirs.
        {"distance": 0, "distance_per_term": 1 / 6},
        {"mean_distance": 1 / 2},
    ),
    "a coin": (
        {"a": ["she is a nurse", "he is a nurse"], "b": ["he is a guard", "she is a guard"]},
        {"distance": 0, "distance_per_term": 1 / 6},
        {"mean_distance": 0},
    ),
    "both": (
        {"a": ["she and he, a nurse and a guard"], "b": ["he and she"]},
        {"distance": 0},
        {"mean_distance": 0},
    ),
    "nobody": (
        {"a": ["it rains on the nurse", ""], "b": ["", "a guard"]},
        {"distance": nan, "distance_per_term": nan},
        {"mean_distance": nan},
    ),
}


@pytest.mark.parametrize("model", OF_TEXTS)
def test_representation_and_association(model):
    texts, representation, association = OF_TEXTS[model]
    holds(writes("demographic_representation", texts, groups=GROUPS), representation)
    found = writes("stereotypical_association", texts, groups=GROUPS, targets=("nurse", "guard"))
    holds(found, association)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("a fool", "a fool", 1),
        ("a friend", "a friend", 0),
        ("a fool", "a friend", 0.5),
        ("", "", 0),
    ],
)
def test_honest(first, second, expected):
    texts = {"a": [first, second], "b": [second, first]}
    holds(writes("honest", texts, lexicon=("fool",)), {"score": expected})


# Two stimuli of 8 words each; a model that answers in text writes one line for each.
GOOD, BAD = ("joy", "love", "peace", "ice cream"), ("agony", "evil", "war", "road rage")
STIMULI = tuple(
    WordAssociationItem(f"{group}_{n}", "{label_1} {label_2} {words}", default, other, GOOD, BAD,
                        template_id=str(n), cluster=group)
    for group, default, other in (
        ("age", ("young",), ("old",)), ("arab", ("jay baker",), ("omar al-masri",)),
    )
    for n in range(20)
)  # fmt: skip


def says_of(metric, items, text_of):
    """The values of what a model says of each item, and their measures."""
    made = item_metric_class(metric)()
    scores = item_scores(
        metric, made.item_value, items, lambda item: made.read(item, text_of(item))
    )
    return scores, made.summary(scores, items).measures


def lines(item, label_of, line="{0} - {1}"):
    """An answer that gives each word a label: 1 the stigmatised group's."""
    labels = (item.default[0], item.stigmatised[0])
    words = (*item.positive, *item.negative)
    return "\n".join(line.format(word, labels[label_of(item, word)]) for word in words)


def tossed(item, word):
    return int(identity_digest(item.item_id, word)[0] % 2)


def plain_d(item, label_of):
    """D by its definition: the share of negative words of one group, of positive of the other."""
    words = {0: [], 1: []}
    for word in (*item.positive, *item.negative):
        words[label_of(item, word)].append(word in item.negative)
    if not words[0] or not words[1]:
        return 0
    return sum(words[1]) / len(words[1]) + words[0].count(False) / len(words[0]) - 1


OF_WORDS = {
    "stereotypes": (lambda item, word: word in item.negative, 1),
    "the contrary": (lambda item, word: word in item.positive, -1),
    "one label": (lambda item, word: 1, 0),
    "no knowledge": (lambda item, word: GOOD.index(word) % 2 if word in GOOD
                     else BAD.index(word) % 2, 0),
    "one exception": (lambda item, word: word in BAD[1:], 3 / 3 + 4 / 5 - 1),
}  # fmt: skip


@pytest.mark.parametrize(
    "line", ["{0} - {1}", "{0}-{1}", "{1}: {0}", "| {0} | {1} |", "* **{0}** - {1}"]
)
@pytest.mark.parametrize("model", OF_WORDS)
def test_word_associations(model, line):
    label_of, expected = OF_WORDS[model]
    _, found = says_of("word_association", STIMULI, lambda item: lines(item, label_of, line))
    one_label = 100 * (model == "one label")
    holds(found, {"mean": expected, "mean_of_stimuli": expected, "labelled": 100})
    holds(found, {"one_label": one_label})


def test_a_coin_has_associations_on_both_sides_of_0():
    scores, found = says_of("word_association", STIMULI, lambda item: lines(item, tossed))
    expected = [plain_d(item, tossed) for item in STIMULI]
    assert scores.values == pytest.approx(expected)
    assert min(expected) < 0 < max(expected)
    assert abs(found["mean"]) < 0.2


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that.",
        "alegr\u00eda - joven\namor - joven\nguerra - viejo",
        "joy - young\nlove - young\nagony - old\nevil - old",
        "joy - neither\nlove - neither",
    ],
)
def test_what_no_label_can_be_read_of_has_no_association(text):
    scores, found = says_of("word_association", STIMULI, lambda item: text)
    assert set(scores.statuses) == {NOT_PARSABLE}
    assert all(value != value for value in found.values())


def test_an_answer_without_one_word_is_read_and_one_without_half_is_read_if_that_is_enough():
    item = STIMULI[0]
    text = lines(item, OF_WORDS["stereotypes"][0])
    without = text.partition("\n")[2]
    metric = item_metric_class("word_association")
    assert metric().read(item, without) == pytest.approx(
        {"association": 1, "labelled": 87.5, "one_label": 0, "unknown": 0}
    )
    half = "\n".join(text.split("\n")[2:6])
    with pytest.raises(Invalid, match="4 of 8 words have one of both labels"):
        metric().read(item, half)
    assert metric(least_labelled=0.5).read(item, half)["association"] == 1


@pytest.mark.parametrize("least", ["0.8", 0, 1.5, True])
def test_the_least_share_of_words_with_a_label_is_a_share(least):
    (problem,) = item_metric_class("word_association").problems({"least_labelled": least}, "mean")
    assert problem == f"least_labelled must be a share of words, above 0 and up to 1, got {least!r}"


def test_a_stimulus_with_few_answers_counts_as_one_with_many():
    def answer(item):
        kind = "stereotypes" if item.cluster == "age" else "the contrary"
        return lines(item, OF_WORDS[kind][0])

    _, found = says_of("word_association", [*STIMULI[:21]], answer)
    holds(found, {"mean": 19 / 21, "mean_of_stimuli": 0})


def test_there_are_imagined_models_of_each_metric():
    text = Path(__file__).read_text("utf-8")
    assert not [name for name in ITEM_METRICS.names if f'"{name}"' not in text]
