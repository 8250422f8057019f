"""How long a text may be, as the folder of a model says."""

from __future__ import annotations

import json

import pytest

from fairflow.language_models.checkpoints.model_folder import ModelFolderError, read_max_length


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ({"max_seq_length": 256, "do_lower_case": False}, 256),
        ({"max_seq_length": None}, None),
        ({}, None),
    ],
)
def test_the_length_is_that_of_its_file(said, length, tmp_path):
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps(said))
    assert read_max_length(tmp_path) == length


def test_a_folder_without_the_file_says_nothing(tmp_path):
    assert read_max_length(tmp_path) is None


@pytest.mark.parametrize("said", ["256", 0, True, 2.5])
def test_what_is_no_length_is_refused(said, tmp_path):
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": said}))
    with pytest.raises(ModelFolderError, match="expected a number of tokens"):
        read_max_length(tmp_path)
