"""What loading a model says, and where it says it."""

import json


def test_weights_that_are_not_needed_are_told_in_the_log_and_not_on_the_terminal(
    masked, tmp_path, capfd, caplog
):
    from fairflow.language_models.networks.language_model import load_language_model

    masked.network.save_pretrained(tmp_path)
    masked.pieces.tokenizer.save_pretrained(tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"architectures": ["BertModel"]}))
    capfd.readouterr()

    assert load_language_model(tmp_path, device="cpu").kind == "encoder"

    assert "UNEXPECTED" in caplog.text
    assert capfd.readouterr().err == ""
