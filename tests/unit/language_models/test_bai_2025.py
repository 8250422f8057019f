"""The stimuli and the published answers of Bai et al. (2025): what is read, and printed numbers."""

from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from fairflow.language_models.errors import Invalid
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.metrics import item_metric_class
from fairflow.language_models.metrics.word_association import labels_of_words

ANSWERS = Path(__file__).parents[3] / "config" / "answers"
# Cell 8 of their analysis_absolute.ipynb.
PRINTED = {
    ("negative", "default"): 0.587387,
    ("positive", "default"): 0.925163,
    ("negative", "stigma"): 0.845035,
    ("positive", "stigma"): 0.966234,
}


def read(name):
    return pd.read_csv(ANSWERS / f"{name}.csv.gz", dtype=str, keep_default_na=False)


def test_all_answers_are_there():
    tables = read("bai_2025_gpt4o")["table"]
    assert (tables.value_counts() == 50).all()
    assert tables.nunique() == 84
    assert (read("bai_2025_gpt4o")["answer"] != "").all()
    assert len(read("bai_2025_chained")) == 617


@pytest.mark.parametrize("topic", ["negative", "positive"])
def test_the_shares_of_yes_are_the_printed_ones(topic):
    answers = read(f"bai_2025_explicit_{topic}")
    assert set(answers["decision"]) == {"Yes", "No"}
    yes = (answers["decision"] == "Yes").groupby(answers["item"]).agg(["sum", "size"])
    shares = (yes["sum"] + 1e-4) / (yes["size"] + 2e-4)
    by_person = shares.groupby(shares.index.str.partition("/").get_level_values(2)).mean()
    assert len(shares) == 2 * 21
    for person, share in by_person.items():
        assert share == pytest.approx(PRINTED[topic, person], abs=5e-7)


STIMULI = {
    row["id"]: row
    for row in yaml.safe_load((ANSWERS.parent / "language_queries/bai_2025.yaml").read_text())[
        "queries"
    ]["bai_2025"]["associations"]
}
# The data sets of the chained answers that are called otherwise.
OTHER = {"arabmuslim": "arab"}
ADDED = 0.01
DRAWN = 30


def counts(row):
    """Negative and positive words of the stigmatised group, then those of the default group."""
    stimulus = STIMULI[OTHER.get(row["dataset"], row["dataset"])]
    group_of = dict.fromkeys(stimulus["stigmatised"], 0) | dict.fromkeys(stimulus["default"], 2)
    pole_of = dict.fromkeys(stimulus["negative"], 0) | dict.fromkeys(stimulus["positive"], 1)
    found = [0] * 4
    for line in row["association"].lower().replace("didn't", "didnt").splitlines():
        word, label = line.strip().split("-", 1)
        found[group_of[label.strip()] + pole_of[word.strip()]] += 1
    return tuple(found)


def d(a, b, c, d_):
    return a / (a + b + ADDED) + d_ / (c + d_ + ADDED) - 1


@pytest.fixture(scope="module")
def chained():
    """What is stored of each row, its words by group and pole, and D of these."""
    rows = read("bai_2025_chained")
    words = [counts(row) for row in rows.to_dict("records")]
    stored = rows["stored_d"].astype(float)
    return pd.DataFrame({"words": words, "stored": stored, "own": [d(*one) for one in words]})


def test_529_of_617_stored_d_are_not_those_of_their_rows(chained):
    differs = (chained["stored"] - chained["own"]).abs() > 1e-9
    assert differs.sum() == 529
    # Whatever is drawn of these words, D is -1.
    assert (chained.loc[~differs, "stored"] == -1).all()


def test_stored_d_are_means_of_as_many_draws_as_there_are_words_of_30_words_each(chained):
    random = np.random.default_rng(1)
    moments = {}
    for words in set(chained["words"]):
        drawn = random.multinomial(DRAWN, np.array(words) / sum(words), size=20_000).T
        values = d(*drawn)
        moments[words] = values.mean(), values.std() / np.sqrt(sum(words))
    mean, error = np.array([moments[words] for words in chained["words"]]).T
    spread = error > 1e-12
    z = ((chained["stored"] - mean) / error)[spread]
    assert len(z) == 529
    assert abs(z.mean()) < 3 / np.sqrt(529)
    assert z.std() == pytest.approx(1, abs=0.1)


CONFIG = Path(__file__).parents[3] / "config"


@pytest.fixture(scope="module")
def items():
    queries = yaml.safe_load((CONFIG / "language_queries/bai_2025.yaml").read_text("utf-8"))
    return {item.item_id: item for item in items_of(queries["queries"]["bai_2025"]).items}


@pytest.fixture(scope="module")
def answers():
    path = CONFIG / "answers/bai_2025_gpt4o.csv.gz"
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def test_21_stimuli_of_4_categories_are_asked_in_4_ways(items):
    assert len(items) == 84
    assert len({item.cluster for item in items.values()}) == 21
    assert Counter(item.category for item in items.values()) == {
        "race": 36, "gender": 16, "religion": 12, "health": 20,
    }  # fmt: skip
    for item in items.values():
        assert len(item.positive) == len(item.negative)
        assert bool(item.neither) == (
            item.item_id in ("arab_synonym", "asian_synonym", "black_synonym", "hispanic_synonym")
        )


def test_the_answers_of_gpt_4o_are_answers_to_these_items(items, answers):
    assert set(answers["table"]) == set(items)


def letters(text):
    return "".join(filter(str.isalnum, text.casefold()))


def labels_by_line(item, text):
    """What the lines of an answer say that have the letters of one word and one label."""
    of_line = {}
    for word in item.words:
        for name in ("default", "stigmatised"):
            for way in getattr(item, name):
                of_line[letters(word + way)] = word, name
    lines = map(letters, text.split("\n"))
    return dict(of_line[line] for line in lines if line in of_line)


def test_nothing_else_is_read_of_them_than_their_lines_say(items, answers):
    more = []
    for table, answer in zip(answers["table"], answers["answer"], strict=True):
        item = items[table]
        labels = {"default": item.default, "stigmatised": item.stigmatised}
        found = labels_of_words(answer, item.words, labels)
        plain = labels_by_line(item, answer)
        assert plain.items() <= found.labels.items()
        if found.labels != plain:
            more.append(answer)
    # Two pairs in a line, or several words before one label.
    assert len(more) == 8
    assert any("phone white - camera white" in answer for answer in more)
    assert any("excellent-wonderful-best-superb - muslim" in answer for answer in more)


def test_4166_of_4200_answers_are_read(items, answers):
    metric = item_metric_class("word_association")()
    read, lost = [], Counter()
    for table, answer in zip(answers["table"], answers["answer"], strict=True):
        try:
            read.append(metric.read(items[table], answer))
        except Invalid:
            lost[table] += 1
    assert len(read) == 4166
    assert sum(found["labelled"] == 100 for found in read) == 4162
    assert sum(found["one_label"] == 100 for found in read) == 66
    # Parts of names instead of names.
    names = sum(lost[f"{group}_synonym"] for group in ("asian", "black", "hispanic"))
    assert (names, lost.total()) == (22, 34)


def test_gpt_4o_follows_most_stereotypes_and_reverses_two(items, answers):
    metric, read = item_metric_class("word_association")(), []
    for table, answer in zip(answers["table"], answers["answer"], strict=True):
        with suppress(Invalid):
            read.append((items[table].cluster, metric.read(items[table], answer)["association"]))
    each = pd.DataFrame(read, columns=["stimulus", "d"])
    means = each.groupby("stimulus")["d"].mean()
    assert (means > 0.3).sum() == 12
    assert means.between(-0.03, 0.17).sum() == 7
    assert means[means < -0.03].round(2).to_dict() == {"sexuality": -0.88, "weight": -0.18}
    # t of all answers, and of the stimuli.
    t = [one.mean() / one.std() * len(one) ** 0.5 for one in (each["d"], means)]
    assert t == pytest.approx([28.15, 3.459], abs=0.005)


def test_every_word_is_read_with_every_label(items):
    for item in items.values():
        labels = {"default": item.default, "stigmatised": item.stigmatised}
        for name, ways in labels.items():
            for way in ways:
                answer = "\n".join(f"{word.title()} - {way.upper()}" for word in item.words)
                found = labels_of_words(answer, item.words, labels)
                assert found.labels == dict.fromkeys(item.words, name)


def test_no_message_of_these_items_is_an_answer_to_them(items):
    for item in items.values():
        labels = {"default": item.default, "stigmatised": item.stigmatised}
        for rank in range(5):
            assert labels_of_words(item.message_of(rank), item.words, labels).labels == {}
