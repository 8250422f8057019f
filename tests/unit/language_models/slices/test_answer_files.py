"""Files of answers that others give: every form, and what is wrong with a file, said by line."""

import bz2
import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from fairflow.errors import FairflowError
from fairflow.language_models.slices.answer_files import GivenAnswer, read_answers


def written(folder, text, name="answers.jsonl"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def lines_of(*objects):
    return "".join(json.dumps(one) + "\n" for one in objects)


def read(folder, content, name="answers.jsonl", **columns):
    path = written(folder, content, name)
    found = read_answers(path, **columns)
    return [replace(one, where=one.where.removeprefix(f"{path}, ")) for one in found]


def answer(id, line, text=None, **what):
    """An answer, at a line of a file whose folder does not matter here."""
    return GivenAnswer(id, text, where=f"line {line}", **what)


def test_a_line_of_json_is_an_answer(tmp_path):
    text = "\ufeff\n" + lines_of(
        {"id": "a", "text": "Yes", "model": "m", "ended": False, "latency": 3},
        {"id": 7, "text": ["Yes", "No"]},
        {"id": "c", "likelihoods": {"yes": -1, "no": [-0.5, 0]}},
    )
    assert read(tmp_path, text) == [
        answer("a", 2, text="Yes", model="m", ended=False),
        answer("7", 3, text="Yes", rank=0),
        answer("7", 3, text="No", rank=1),
        answer("c", 4, likelihoods={"yes": -1.0, "no": (-0.5, 0.0)}),
    ]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_row_of_a_table_is_an_answer(tmp_path, separator):
    rows = [["n", "item", "said", "model"], ["1", "a", "Yes\nNo", "m"], ["2", "a", "", ""]]
    text = "\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows)
    assert read(tmp_path, text, "x.dat", id="item", text="said") == [
        answer("a", 2, text="Yes\nNo", model="m"), answer("a", 4, text=""),
    ]  # fmt: skip


def test_a_text_of_null_is_a_missing_answer(tmp_path):
    (one,) = read(tmp_path, lines_of({"id": "a", "text": None}))
    assert (one.status, one.reason) == ("missing", "its text is null")


@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_holds_the_texts_of_each_id_or_objects(tmp_path, indent):
    texts = json.dumps({"a": ["Yes", "No"], "b": "Yes"}, indent=indent)
    assert [(one.id, one.text, one.rank) for one in read(tmp_path, texts)] == [
        ("a", "Yes", 0), ("a", "No", 1), ("b", "Yes", None),
    ]  # fmt: skip
    objects = json.dumps([{"id": "a", "text": "Yes"}, {"id": "a", "text": "No"}], indent=indent)
    assert [(one.text, one.where) for one in read(tmp_path, objects)] == [
        ("Yes", "line 1, entry 1"), ("No", "line 1, entry 2"),
    ]  # fmt: skip


def chat(custom_id, *choices, **line):
    body = {
        "model": "gpt-4o-2024-08-06",
        "choices": [{"index": n} | c for n, c in enumerate(choices)],
    }
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": "batch_req_1", "custom_id": custom_id, "response": response, "error": None} | line


def choice(content, finish_reason="stop", refusal=None):
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return {"message": message, "finish_reason": finish_reason, "logprobs": None}


def test_results_of_a_batch_of_chat_completions(tmp_path):
    limit = {"code": "slow_down", "message": "Too many\nrequests", "type": "tokens"}
    filtered = {"code": "content_filter", "message": "Filtered"}
    text = lines_of(
        chat("a", choice("Yes")),
        chat("b", choice("Yes, bec", "length"), choice("No")),
        chat("c", choice(None, "content_filter")),
        chat("d", choice(None, refusal="I can't help with that.")),
        chat("e", response=None, error={"code": "batch_expired", "message": "Not executed"}),
        chat("f", response={"status_code": 429, "body": {"error": limit}}),
        chat("g", response={"status_code": 400, "body": {"error": filtered}}),
        chat("h", response={"status_code": 500, "body": None}),
    )
    name = {"model": "gpt-4o-2024-08-06"}
    assert read(tmp_path, text) == [
        answer("a", 1, text="Yes", ended=True, **name),
        answer("b", 2, text="Yes, bec", ended=False, rank=0, **name),
        answer("b", 2, text="No", ended=True, rank=1, **name),
        answer("c", 3, text="", status="refused",
               reason="the provider says content_filter", **name),
        answer("d", 4, text="I can't help with that.", status="refused",
               reason="the provider says refusal", **name),
        answer("e", 5, status="missing", reason="the provider says batch_expired: Not executed"),
        answer("f", 6, status="missing", reason="the provider says slow_down: Too many requests"),
        answer("g", 7, status="refused", reason="the provider says content_filter: Filtered"),
        answer("h", 8, status="missing", reason="the provider says status 500 without an answer"),
    ]  # fmt: skip


def test_results_of_a_batch_of_messages(tmp_path):
    def line(custom_id, stop_reason, *content):
        message = {"model": "claude-sonnet-4-5", "role": "assistant", "content": [*content],
                   "stop_reason": stop_reason}  # fmt: skip
        return {"custom_id": custom_id, "result": {"type": "succeeded", "message": message}}

    said = {"type": "text", "text": "Yes"}
    invalid = {"type": "error", "error": {"type": "invalid", "message": "bad"}}
    text = lines_of(
        line("a", "end_turn", {"type": "thinking", "thinking": "No?", "signature": ""}, said),
        line("b", "max_tokens", said),
        line("c", "refusal"),
        {"custom_id": "d", "result": {"type": "errored", "error": invalid}},
        {"custom_id": "e", "result": {"type": "expired"}},
        {"custom_id": "f", "result": {"type": "=1+1"}},
    )
    name = {"model": "claude-sonnet-4-5"}
    assert read(tmp_path, text) == [
        answer("a", 1, text="Yes", ended=True, **name),
        answer("b", 2, text="Yes", ended=False, **name),
        answer("c", 3, text="", status="refused", reason="the provider says refusal", **name),
        answer("d", 4, status="missing", reason="the provider says errored (invalid: bad)"),
        answer("e", 5, status="missing", reason="the provider says expired"),
        answer("f", 6, status="missing", reason="the provider says =1+1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("why", "ended"),
    [
        ("stop", True),
        ("eos", True),
        ("length", False),
        ("model_length", False),
        ("abort", False),
        ("odd", None),
    ],
)
def test_why_a_text_ended_in_the_words_of_all_providers(tmp_path, why, ended):
    assert [one.ended for one in read(tmp_path, lines_of(chat("a", choice("Yes", why))))] == [ended]


def test_results_of_a_batch_of_responses(tmp_path):
    def line(id, status, *output, reason=None):
        why = {"reason": reason} if reason else None
        body = {"model": "m", "status": status, "incomplete_details": why, "output": [*output]}
        return chat(id, response={"status_code": 200, "body": body})

    thought = {"type": "reasoning", "summary": []}
    said = {"type": "message", "content": [{"type": "output_text", "text": "Yes"}]}
    refused = {"type": "message", "content": [{"type": "refusal", "refusal": "I can't."}]}
    text = lines_of(
        line("a", "completed", thought, said),
        line("b", "incomplete", thought, reason="max_output_tokens"),
        line("c", "completed", refused),
        line("d", "completed", thought, {"type": "function_call", "name": "choose"}),
    )
    refusal, call = (
        "the provider says refusal",
        "the provider says function_call: a tool call, no text",
    )
    assert read(tmp_path, text) == [
        answer("a", 1, text="Yes", ended=True, model="m"),
        answer("b", 2, text="", ended=False, model="m"),
        answer("c", 3, text="I can't.", ended=True, status="refused", reason=refusal, model="m"),
        answer("d", 4, text="", ended=True, status="not_parsable", reason=call, model="m"),
    ]


def test_half_of_a_character_is_a_question_mark(tmp_path):
    cut = '{"id": "a", "text": "\\ud83d\\ude00 \\ud83d"}'
    assert [one.text for one in read(tmp_path, cut)] == ["\U0001f600 ?"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_packed_file_is_told_by_its_content(tmp_path, pack):
    assert [one.text for one in read(tmp_path, pack(b'{"id": "a", "text": "Yes"}'))] == ["Yes"]


def test_a_packed_file_that_was_cut_is_no_shorter_file(tmp_path):
    packed = gzip.compress(lines_of(*[{"id": str(n), "text": "Yes"} for n in range(999)]).encode())
    with pytest.raises(FairflowError, match=r"answers\.jsonl is not a whole gz"):
        read(tmp_path, packed[:-100])


def test_answers_are_read_one_by_one(tmp_path):
    text = lines_of(*[{"id": str(n), "text": "Yes"} for n in range(99)]) + "broken"
    answers = read_answers(written(tmp_path, text))
    assert next(answers).id == "0"
    with pytest.raises(FairflowError, match="line 100: no JSON"):
        list(answers)


GOOD = '{"id": "a", "text": "Yes"}\n'
BROKEN = {
    b"": "is empty",
    b"id,text\n": "holds no answers",
    GOOD.encode("utf-16"): "line 1: .*UTF-8",
    GOOD.encode() + b'{"id": "b", "text": "\xff"}': "line 2: not UTF-8 .*0xff.*: save it",
    GOOD + '{"id": "b", "text": "Yes"': "line 2: no JSON .*one object a line",
    '{"id": "a",\n "text": "Yes"': "line 2: no JSON",
    "[" * 99_999: "nested too deeply",
    GOOD + '["a", "Yes"]': "line 2: .*is no object",
    '{"prompt": "a", "text": "Yes"}\n' + GOOD: "line 1: no key 'id'; found: prompt, text",
    GOOD + '{"ids": "a", "text": "Yes"}\n': "line 2: no key 'id'.* Did you mean 'ids'",
    '{"id": "a", "answer": "Yes"}': "no key 'text'; found: id, answer",
    '{"id": "a", "text": NaN}': "text is nan",
    '{"id": "a", "text": 7}': "text is 7",
    '{"id": "", "text": "Yes"}': "the id is ''",
    '{"id": "a", "text": "Yes", "ended": "no"}': "ended is 'no'",
    "prompt,answer\na,Yes\n": "line 1: no column 'id'; found: prompt, answer.*file: ..., id:",
    "id,answer\na,Yes\n": "line 1: no column 'text'",
    "\x1b[31mid,\x07\na,Yes\n": r"found: \\x1b\[31mid, \\x07",
    b"PK\x03\x04" + bytes(60): "is a zip archive: unpack it",
    "id,text,text\na,Yes,No\n": "two columns 'text'",
    "id,text\na,Yes\nb,Yes, because\n": "line 3: 3 cells, the header has 2",
    'id,text\na,Yes\nb,"Yes\nNo\n': "line 3: the row that begins here .*double quotes",
    'id,text\na,"Yes"no"\n': "line 2: the row that begins here",
    "id\ttext\n\tYes\n": "line 2: the id is ''",
    '{"custom_id": "a", "method": "POST", "body": {}}': "a custom_id without a result",
    '{"custom_id": "a", "response": {"status_code": 200, "body": {"x": 1}}}': "another form",
    **{
        f'{{"id": "a", "likelihoods": {{"yes": {value}}}}}': "line 1: the log-likelihood of 'yes'"
        for value in ("NaN", "-Infinity", "0.1", '"-1"', "true", "[]", "[-1, 0.5]", "1" + "0" * 999)
    },
    '{"id": "a", "likelihoods": [-1, -2]}': "likelihoods is",
}  # fmt: skip


@pytest.mark.parametrize("content", BROKEN, ids=range(len(BROKEN)))
def test_what_is_wrong_with_a_file_is_said(tmp_path, content):
    with pytest.raises(FairflowError, match=BROKEN[content]) as found:
        read(tmp_path, content)
    assert str(Path(tmp_path, "answers.jsonl")) in str(found.value)
    assert len(str(found.value)) < 500 + len(str(tmp_path))
