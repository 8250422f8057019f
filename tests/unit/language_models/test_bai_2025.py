"""The published answers of Bai et al. (2025): what is carried, and their printed numbers."""

from pathlib import Path

import pandas as pd
import pytest

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
