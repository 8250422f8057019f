"""Answers that were given elsewhere, read from files: JSON, tables, and results of batches."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError, nearest, not_utf8
from fairflow.files.packed_files import open_packed
from fairflow.language_models.errors import MISSING, NOT_PARSABLE, REFUSED

Likelihoods = Mapping[str, float | tuple[float, ...]]

# Why a text ended, in the words of the interfaces of OpenAI (chat completions, completions and
# responses), of those that took them over (Mistral, Together, vLLM, ...) and of Anthropic
# (messages): whether the model ended it.
_ENDED = dict.fromkeys(("stop", "end_turn", "stop_sequence", "eos", "eos_token", "completed"), True)
_CUT = ("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded")
_ENDED |= dict.fromkeys((*_CUT, "model_length", "incomplete", "pause_turn", "abort"), False)
_CALLS = ("tool_calls", "tool_call", "tool_use", "server_tool_use", "function_call")
# How a reason begins, so that no table begins a cell with what a spreadsheet would calculate.
_SAYS = "the provider says"
_FINITE = "a finite number of at most 0 (a natural logarithm), or a list of these, or nothing"
_FILTERS = ("content_filter", "content_policy_violation", "refusal", "safety")


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as its file gives it.

    Attributes
    ----------
    id : of the question or item. text : the answer, or None if only likelihoods are given.
    likelihoods : choice -> natural logarithm of its likelihood, or of that of each of its tokens.
    ended : whether the model ended the text; False, the limit of length did; None, not known.
    status, reason : "ok" and None; "refused", the provider's filter or the model's own statement
        that it refuses; "missing", an error of the provider; "not_parsable", a tool call alone.
    model : the name that the provider gives, or "". where : its file and line.
    rank : from 0, where one id has several answers in one place.
    """

    id: str
    text: str | None
    likelihoods: Likelihoods | None = None
    ended: bool | None = None
    status: str = "ok"
    reason: str | None = None
    model: str = ""
    where: str = ""
    rank: int | None = None


def read_answers(path: str | Path, id: str = "id", text: str = "text") -> Iterator[GivenAnswer]:
    """The answers of a file, one by one.

    The content says which form it has, whatever its name is; it may be packed as gz, bz2 or xz.

    - JSON, one object a line: `id`, `text` (a text or a list of texts), and perhaps "model",
      "ended" and "likelihoods" (choice -> a number, or the numbers of its tokens);
    - JSON, one document: a list of such objects, or one object of id -> text or list of texts;
    - a table with a header, separated by commas, tabs or semicolons: the columns `id` and `text`,
      and perhaps "model";
    - the results of a batch of OpenAI's (https://platform.openai.com/docs/guides/batch) or
      Anthropic's (https://docs.claude.com/en/docs/build-with-claude/batch-processing) interface.

    Raises
    ------
    FairflowError : nothing is in it, or it is damaged, not UTF-8, none of these forms, or has a
        value that no answer has; with the line.
    """
    with open_packed(Path(path)) as stream:
        packed = io.BufferedReader(stream).read()
    try:
        content = packed.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FairflowError(f"{path}{not_utf8(error)}") from error
    if not content.strip():
        raise FairflowError(f"{path} is empty: it must hold answers")
    rows = _json_rows if content.lstrip()[0] in "{[" else _table_rows
    place, found = "line 1", False
    try:
        for place, row in rows(content, id, text):
            for answer in _answers(row, id, text):
                found = True
                yield replace(answer, where=f"{path}, {place}")
    except _Fault as fault:
        raise FairflowError(f"{path}, {place}: {fault}") from fault
    if not found:
        raise FairflowError(f"{path} holds no answers: there is nothing below its header")


class _Fault(Exception):
    """What is wrong with a row; given instead of a row that cannot be read."""


def _check(fine: object, what: str, value: Any, expected: str) -> None:
    if not fine:
        raise _Fault(f"{what} is {_shown(value)}; expected is {expected}")


def _shown(value: Any) -> str:
    return repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:60]}..."


def _check_named(name: str, what: str, found: Iterable[str]) -> None:
    names = [*found]
    if name not in names:
        listed = ", ".join(names[:12])[:300] + (", ..." if len(names) > 12 else "") or "nothing"
        raise _Fault(
            f"no {what} {name!r}; found: {listed}. {nearest(name, names)[:200]} Name the {what}s "
            "of ids and texts in the model's entry: answers: {QUERY: {file: ..., id: ..., text: "
            "...}}"
        )


def _json_rows(content: str, id: str, text: str) -> Iterator[tuple[str, Any]]:
    """Places and objects of JSON, as lines of objects or as one document."""
    lines = [one for one in enumerate(content.split("\n"), start=1) if one[1].strip()]
    if not lines[0][1].rstrip().endswith("}"):
        lines = [(lines[0][0], content.lstrip())]
    for number, line in lines:
        try:
            row = json.loads(line)
            if "\\u" in line:
                # Half of a character, such as an emoji that was cut, is a question mark.
                row = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError) as error:
            why = "it is nested too deeply" if isinstance(error, RecursionError) else error
            what = f"no JSON ({why}); expected is one object a line, or one document"
            yield f"line {number + getattr(error, 'lineno', 1) - 1}", _Fault(what)
            return
        place = f"line {number}"
        if len(lines) == 1 and isinstance(row, list):
            yield from ((f"{place}, entry {n}", one) for n, one in enumerate(row, start=1))
        elif len(lines) == 1 and id not in row and all(map(_is_text, row.values())):
            yield from ((place, {id: key, text: texts}) for key, texts in row.items())
        else:
            yield place, row


def _is_text(value: Any) -> bool:
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(one, str) for one in texts)


def _table_rows(content: str, id: str, text: str) -> Iterator[tuple[str, Any]]:
    """Places and rows of a table with a header."""
    csv.field_size_limit(2**31 - 1)
    separator = max("\t,;", key=content.lstrip().partition("\n")[0].count)
    rows = csv.reader(io.StringIO(content), delimiter=separator, strict=True)
    begins = 1
    try:
        header = next(filter(None, rows))
        for wanted in (id, text):
            _check_named(wanted, "column", header)
            if header.count(wanted) > 1:
                raise _Fault(f"there are two columns {wanted!r}: rename one of them")
        begins = rows.line_num + 1
        for cells in rows:
            if cells and len(cells) != len(header):
                what = f"put texts with {separator!r} or line breaks between double quotes"
                what = f"{len(cells)} cells, the header has {len(header)}: {what}"
                yield f"line {begins}", _Fault(what)
            elif cells:
                cell = dict(zip(header, cells, strict=True))
                row = {name: cell[name] for name in (id, text, "model") if name in cell}
                yield f"line {begins}", row
            begins = rows.line_num + 1
    except csv.Error as error:
        what = f"the row that begins here cannot be read ({error}): close and double double quotes"
        yield f"line {begins}", _Fault(what)


def _answers(row: Any, id: str, text: str) -> Iterator[GivenAnswer]:
    """The answers of one object."""
    if not isinstance(row, dict):
        what = f"{_shown(row)} is no object with the keys {id!r} and {text!r}"
        raise row if isinstance(row, _Fault) else _Fault(what)
    given, texts = row.get("likelihoods"), row.get(text)
    if "custom_id" in row and given is None and texts is None:
        yield from _batch_answers(row)
        return
    for wanted in (id, *([text] if given is None else [])):
        _check_named(wanted, "key", row)
    ended, model = row.get("ended"), row.get("model")
    _check(isinstance(ended, bool | None), "ended", ended, "true or false")
    _check(isinstance(model, str | None), "model", model, "a name")
    if given is None and texts is None:
        yield GivenAnswer(_id_of(row[id]), None, status=MISSING, reason=f"its {text} is null")
        return
    if texts is not None:
        _check(_is_text(texts), text, texts, "a text or a list of texts")
    answer = GivenAnswer(_id_of(row[id]), None, _likelihoods(given), ended, model=model or "")
    for rank, one in enumerate(texts) if isinstance(texts, list) else [(None, texts)]:
        yield replace(answer, text=one, rank=rank)


def _id_of(value: Any) -> str:
    fine = type(value) in (str, int) and str(value).strip()
    _check(fine, "the id", value, "a text, or a whole number")
    return str(value)


def _likelihoods(given: Any) -> Likelihoods | None:
    if given is None:
        return None
    fine = isinstance(given, dict) and given
    _check(fine, "likelihoods", given, "choice -> log-likelihood")
    found: dict[str, float | tuple[float, ...]] = {}
    for choice, value in given.items():
        numbers = value if isinstance(value, list) else [value]
        fine = (type(one) in (int, float) and -sys.float_info.max <= one <= 0 for one in numbers)
        what = f"the log-likelihood of {choice!r}"
        _check(numbers and all(fine), what, value, _FINITE)
        found[choice] = tuple(map(float, numbers)) if isinstance(value, list) else float(value)
    return found


def _batch_answers(row: Mapping[str, Any]) -> Iterator[GivenAnswer]:
    """The answers of a line of a batch's results."""
    id = _id_of(row["custom_id"])
    if not any(map(row.get, ("result", "response", "error"))):
        raise _Fault(
            f"a custom_id without a result, but {_shown([*row])}: if this was sent, name the file "
            "with the results of the batch"
        )
    try:
        yield from _of_message(id, row["result"]) if row.get("result") else _of_choices(id, row)
    except (KeyError, TypeError, AttributeError) as error:
        raise _Fault(
            f"a result of a batch in another form than those of OpenAI and Anthropic ({error!r}): "
            'write it as {"id": ..., "text": ...}'
        ) from error


def _of_message(id: str, result: Mapping[str, Any]) -> Iterator[GivenAnswer]:
    """The answer of Anthropic's interface."""
    if result["type"] == "succeeded":
        message = result["message"]
        yield _said(id, message, message["content"], message.get("stop_reason"))
    else:
        error = result.get("error") or {}
        why = _reason(error.get("error") or error)
        yield _failed(id, error, f"{result['type']} ({why})" if why else result["type"])


def _of_choices(id: str, row: Mapping[str, Any]) -> Iterator[GivenAnswer]:
    """The answers of OpenAI's interface."""
    response = row.get("response") or {}
    body = response.get("body") or {}
    error = row.get("error") or body.get("error") or {}
    status = response.get("status_code", 200)
    if error or not body or status != 200:
        yield _failed(id, error, _reason(error) or f"status {status} without an answer")
        return
    if "output" in body:
        parts = [part for one in body["output"] for part in one.get("content") or [one]]
        why = (body.get("incomplete_details") or {}).get("reason") or body.get("status")
        yield _said(id, body, parts, why)
        return
    for rank, choice in enumerate(body["choices"]):
        message = choice.get("message") or {"content": choice.get("text")}
        refusal = message.get("refusal")
        why = "refusal" if refusal else choice.get("finish_reason")
        answer = _said(id, body, refusal or message.get("content") or "", why)
        yield replace(answer, rank=rank if len(body["choices"]) > 1 else None)


def _said(id: str, body: Mapping[str, Any], content: str | list[Any], why: str) -> GivenAnswer:
    """An answer, whose parts may be texts, and why it ended, in the words of an interface."""
    parts = [] if isinstance(content, str) else content
    types = [str(why).lower(), *(part["type"] for part in parts)]
    if parts:
        said = (part for part in parts if part["type"] in ("text", "output_text", "refusal"))
        content = "".join(part.get("refusal") or part["text"] for part in said)
    status: dict[str, str] = {}
    if filtered := [one for one in types if one in _FILTERS]:
        status = {"status": REFUSED, "reason": f"{_SAYS} {filtered[0]}"}
    elif not content and (calls := [one for one in types if one in _CALLS]):
        status = {"status": NOT_PARSABLE, "reason": f"{_SAYS} {calls[0]}: a tool call, no text"}
    model = body.get("model") or ""
    return GivenAnswer(id, content or "", ended=_ENDED.get(types[0]), model=model, **status)


def _failed(id: str, error: Mapping[str, Any], reason: str) -> GivenAnswer:
    """A request that has no answer."""
    status = REFUSED if error.get("code") in _FILTERS else MISSING
    return GivenAnswer(id, None, status=status, reason=f"{_SAYS} {reason}")


def _reason(error: Mapping[str, Any]) -> str:
    """An error of an interface in a line."""
    parts = (error.get("code") or error.get("type"), error.get("message"))
    return " ".join(": ".join(str(part) for part in parts if part).split())[:200]
