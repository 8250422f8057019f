"""Data sets are read from a copy of the benchmark that the user points to."""

import json

import pandas as pd
import pytest

pytestmark = pytest.mark.usefixtures("torch")

STEREOSET = {
    "data": {
        part: [
            {
                "target": target, "bias_type": "gender", "context": "Who?",
                "sentences": [{"sentence": "He.", "gold_label": "stereotype"},
                              {"sentence": "She.", "gold_label": "anti-stereotype"}],
            }
        ]
        for part, target in (("intersentence", "chess"), ("intrasentence", "nurse"))
    }
}  # fmt: skip
FILES = {
    "BBQ/data/Age.jsonl": '{"example_id": 0, "label": 1}\n{"example_id": 1, "label": 2}\n',
    "BEC-Pro/data/BEC-Pro_EN.tsv": "Sentence\tGender\nHe is here.\tmale\n",
    "BEC-Pro/data/BEC-Pro_DE.tsv": "Sentence\tGender\nEr ist da.\tmale\n",
    "BUG/data/gold_BUG.csv": "uid,sentence_text\n1,He is here.\n",
    "CrowS-Pairs/data/crows_pairs_anonymized.csv": ",sent_more,sent_less\n0,He.,She.\n",
    "GAP/data/gap-test.tsv": "ID\tText\n1\tHe.\n",
    "GAP/data/script.py": "1 / 0",
    "StereoSet/data/dev.json": json.dumps(STEREOSET),
    "WinoBias/data/anti_stereotyped_type1.txt.dev": "1 [The guard] met [her].\n\n2 Nobody.\n",
    "WinoBias/data/male_occupations.txt": "guard\n",
    "WinoBias/data/female_occupations.txt": "nurse\nclerk\n",
    "WinoBias/data/generalized_swaps.txt": "he\tshe\n",
    "WinoBias/data/extra_gendered_words.txt": "lord\tlady\n",
    "WinoBias+/data/WinoBias+.preprocessed": "He met her.\nShe.\n",
    "WinoBias+/data/WinoBias+.references": "They met them.\n",
    "Winogender/data/all_sentences.tsv": "sentid\tsentence\na\tHe.\n",
}


@pytest.fixture
def load(tmp_path):
    """A function: data set, configuration, format -> what the loader gives of the copy."""
    from fairflow.fairlangproc.datasets import BiasDataLoader

    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return lambda *asked: BiasDataLoader(*asked, benchmark_path=tmp_path)


@pytest.mark.parametrize(
    ("dataset", "config", "expected"),
    [
        ("BBQ", "Age", {"data": (2, ["example_id", "label"])}),
        ("BEC-Pro", "english", {"data": (1, ["Sentence", "Gender"])}),
        ("BEC-Pro", "all", dict.fromkeys(("english", "german"), (1, ["Sentence", "Gender"]))),
        ("BUG", "gold", {"data": (1, ["uid", "sentence_text"])}),
        ("CrowS-Pairs", None, {"data": (1, ["Unnamed: 0", "sent_more", "sent_less"])}),
        ("GAP", None, {"gap-test.tsv": (1, ["ID", "Text"])}),
        ("WinoBias+", None, {"data": (2, ["gendered", "neutral"])}),
        ("Winogender", "", {"data": (1, ["sentid", "sentence"])}),
    ],
)
def test_tables_are_frames_by_name(dataset, config, expected, load):
    found = load(dataset, config, "raw")
    assert {name: (len(one), list(one.columns)) for name, one in found.items()} == expected


def test_stereoset_is_one_row_per_context(load):
    (row,) = load("StereoSet", "word", "raw")["dev_word"].to_dict("records")
    assert row == {
        "options": "[He./She.]", "context": "Who?", "target": "nurse", "bias_type": "gender",
        "labels": "[stereotype/anti-stereotype]",
    }  # fmt: skip
    assert list(load("StereoSet", "all", "raw")) == ["dev_sentence", "dev_word"]


def test_winobias_has_its_brackets_apart(load):
    frame = load("WinoBias", "WinoBias", "raw")["anti_stereotyped_type1.txt.dev"]
    assert frame.to_dict("records") == [
        {"sentence": "The guard met her.", "entity": "The guard", "pronoun": "her"},
        {"sentence": "Nobody.", "entity": "", "pronoun": ""},
    ]
    assert load("WinoBias", "pairs", "raw") == {"data": [("he", "she"), ("lord", "lady")]}
    words = load("WinoBias", "gender_words", "raw")
    assert words == {"male": ["guard"], "female": ["nurse", "clerk"]}


def test_rows_as_a_torch_data_set_are_all_columns_but_the_first_and_the_first(load):
    from fairflow.fairlangproc.datasets.fairness_datasets import CustomDataset

    rows = load("BBQ", "Age", "pt")["data"]
    assert isinstance(rows, CustomDataset)
    assert len(rows) == 2
    features, label = rows[1]
    assert (features.tolist(), label) == ([2], 1)


def test_hugging_face_s_format_asks_for_its_package(load, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ImportError, match="pip install datasets, or take format='raw'"):
        load("BBQ", "Age")


def test_hugging_face_s_format_is_made_of_the_frame(load, monkeypatch):
    import sys
    from types import SimpleNamespace

    made = SimpleNamespace(from_pandas=lambda frame: ("made of", frame))
    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(Dataset=made))
    what, frame = load("BBQ", "Age", "hf")["data"]
    assert what == "made of"
    assert isinstance(frame, pd.DataFrame)


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        (("BBQ", "SES"), FileNotFoundError, r"SES.jsonl; git clone https://.*benchmark_path="),
        (("HolisticBias", "sentences"), FileNotFoundError, "see its README on HolisticBias"),
        (("Crows",), ValueError, "unknown dataset 'Crows'. Did you mean 'CrowS-Pairs'?"),
        (("BBQ", "age"), ValueError, "no configuration 'age'. Did you mean 'Age'?"),
        (("BBQ", "Age", "csv"), ValueError, "format must be one of raw, hf, pt"),
    ],
)
def test_what_is_not_there_is_said_with_what_to_do(asked, error, message, load):
    with pytest.raises(error, match=message.replace("?", r"\?")):
        load(*asked)


def test_scripts_of_data_sets_are_not_run():
    from fairflow.fairlangproc.datasets.fairness_datasets import FairLLMBenchmarkLoader

    with pytest.raises(NotImplementedError, match="run it as its README"):
        FairLLMBenchmarkLoader("copy").run_process_and_download("HolisticBias")
    with pytest.raises(ValueError, match="unknown dataset 'PANDA'"):
        FairLLMBenchmarkLoader("copy").run_process_and_download("PANDA")
