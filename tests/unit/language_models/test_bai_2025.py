"""The published answers of Bai et al. (2025): what is carried, and their printed numbers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

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
