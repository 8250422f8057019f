"""`fairflow ask` writes the questions of a study, and again those that have no answer yet."""

import json
from pathlib import Path

import pytest

from fairflow.command.parser import main


@pytest.fixture
def asked(monkeypatch, capsys):
    """A function from arguments to the lines that the command writes, and what it tells."""

    monkeypatch.chdir(Path(__file__).parents[3])

    def written(*arguments: object) -> tuple[list[dict], str]:
        assert main(["ask", "bai_2025", *map(str, arguments)]) == 0
        out, told = capsys.readouterr()
        return [json.loads(line) for line in out.splitlines()], told

    return written


def test_what_has_an_answer_is_not_asked_again_but_what_failed_is(asked, tmp_path):
    first, told = asked("--form", "openai", "--model", "m", "--draws", 2)
    assert "bai_2025: 84 items x 2 draws\n" in told
    body = {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}
    of = [{"status_code": 200, "body": body}] * (len(first) - 1)
    of += [{"status_code": 500, "body": {"error": {"message": "overloaded"}}}]
    file = tmp_path / "answers.jsonl"
    rows = [
        {"custom_id": one["custom_id"], "response": response, "error": None}
        for one, response in zip(first, of, strict=True)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ids = [one["custom_id"] for one in first]
    again, _ = asked("--draws", 2, "--without", file)
    assert [one["id"] for one in again] == ids[-1:]
    more, told = asked("--draws", 3, "--without", file)
    assert {one["draw"] for one in more if one["id"] not in ids} == {2}
    assert len(more) == len(ids) // 2 + 1
    assert "bai_2025: 84 items x 3 draws, 84 of 252 without an answer" in told
