"""Answers that were given elsewhere, read from files: JSON, tables, and results of batches."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError, nearest
from fairflow.files.packed_files import open_packed
from fairflow.language_models.errors import MISSING, REFUSED

Likelihoods = Mapping[str, float | tuple[float, ...]]

LIKELIHOOD = "likelihood "
_LONGEST_CELL = 2**31 - 1
_SEPARATORS = "\t,;"
# Why a text ended, in the words of the interfaces of OpenAI (chat completions and completions) and
# Anthropic (messages): whether the model ended it.
_ENDED = {
    **dict.fromkeys(("stop", "end_turn", "stop_sequence"), True),
    **dict.fromkeys(("length", "max_tokens", "model_context_window_exceeded"), False),
}
# How a reason begins, so that no table begins a cell with what a spreadsheet would calculate.
_SAYS = "the provider says"
_FILTERS = ("content_filter", "content_policy_violation", "refusal")


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as its file gives it.

    Attributes
    ----------
    id : of the question or item. text : the answer, or None if only likelihoods are given.
    likelihoods : choice -> natural logarithm of its likelihood, or of that of each of its tokens.
    ended : whether the model ended the text; False, the limit of length did; None, not known.
    status, reason : "ok" and None; "refused", the provider's filter or the model's own statement
        that it refuses; "missing", an error of the provider.
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
    """The answers of a file, one by one; only a JSON document is held as a whole.

    The content says which form it has, whatever its name is; it may be packed as gz, bz2 or xz.

    - JSON, one object a line: `id`, `text` (a text or a list of texts), and perhaps "model",
      "ended" and "likelihoods" (choice -> a number, or the numbers of its tokens);
    - JSON, one document: a list of such objects, or one object of id -> text or list of texts;
    - a table with a header, separated by commas, tabs or semicolons: the columns `id` and `text`,
      and perhaps "model" and a column "likelihood CHOICE" of each choice;
    - the results of a batch of OpenAI's (https://platform.openai.com/docs/guides/batch) or
      Anthropic's (https://docs.claude.com/en/docs/build-with-claude/batch-processing) interface.

    Raises
    ------
    FairflowError : nothing is in it, or it is damaged, not UTF-8, none of these forms, or has a
        value that no answer has; with the line.
    """
    with open_packed(Path(path)) as stream:
        lines = _Lines(str(path), io.BufferedReader(stream))
        first = next(iter(lines), None)
        if first is None:
            raise FairflowError(f"{path} is empty: it must hold answers")
        read = _json_answers if first.lstrip()[:1] in ("{", "[") else _table_answers
        count = 0
        for answer in read(first, lines, id, text):
            count += 1
            yield answer
    if not count:
        raise FairflowError(f"{path} holds no answers: there is nothing below its header")


class _Lines:
    """The lines of a file from the first that is not blank, and the number of the last one."""

    def __init__(self, path: str, stream: Iterable[bytes]) -> None:
        self.path, self.number = path, 0
        self._lines = self._decoded(stream)

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def _decoded(self, stream: Iterable[bytes]) -> Iterator[str]:
        begun = False
        for number, line in enumerate(stream, start=1):
            self.number = number
            if b"\0" in line:
                raise self.problem("a NUL byte, which no text has: save the file as UTF-8")
            try:
                decoded = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                what = f"not UTF-8 (byte {line[error.start]:#04x}): save the file as UTF-8"
                raise self.problem(what) from error
            begun = begun or bool(decoded.strip())
            if begun:
                yield decoded

    def problem(self, what: str) -> FairflowError:
        """An error at the last line read."""
        return FairflowError(f"{self.path}, line {self.number}: {what}")

    def where(self, line: int | None = None) -> str:
        """The file and a line, the last one read by default."""
        return f"{self.path}, line {line or self.number}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {key!r} occurs twice")
    return found


def _parsed(text: str) -> Any:
    """JSON, with "?" for half of a character (a cut emoji); raises ValueError."""
    try:
        content = json.loads(text, object_pairs_hook=_once)
        if "\\u" in text:
            whole = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
            content = json.loads(whole)
        return content
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _json_answers(first: str, lines: _Lines, id: str, text: str) -> Iterator[GivenAnswer]:
    """The answers of JSON, as lines of objects or as one document."""
    start = lines.number
    try:
        content = _parsed(first)
    except ValueError:
        content = None
    if not isinstance(content, dict) or not {id, "custom_id"} & content.keys():
        second = next(filter(str.strip, lines), "")
        lines.number = start
        if content is not None and second:
            raise lines.problem(_no_column(id, "key", content))
        document = "".join(chain([first, second], lines))
        lines.number = start
        yield from _document_answers(document, lines, id, text)
        return
    yield from _object_answers(content, lines, lines.where(), id, text)
    for line in filter(str.strip, lines):
        try:
            content = _parsed(line)
        except ValueError as error:
            what = f"no JSON ({error}): {_shown(line)}; one object a line is expected"
            raise lines.problem(what) from error
        yield from _object_answers(content, lines, lines.where(), id, text)


def _document_answers(document: str, lines: _Lines, id: str, text: str) -> Iterator[GivenAnswer]:
    try:
        content = _parsed(document)
    except ValueError as error:
        lines.number += getattr(error, "lineno", 1) - 1
        what = f"no JSON ({error}); expected are lines with one object each, or one document"
        raise lines.problem(what) from error
    if isinstance(content, list):
        for number, one in enumerate(content, start=1):
            yield from _object_answers(one, lines, f"{lines.where()}, entry {number}", id, text)
    elif not all(_is_text(texts) for texts in content.values()):
        raise lines.problem(_no_column(id, "key", content))
    else:
        for key, texts in content.items():
            yield from _object_answers({id: key, text: texts}, lines, lines.where(), id, text)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
    )


def _object_answers(
    content: Any, lines: _Lines, where: str, id: str, text: str
) -> Iterator[GivenAnswer]:
    """The answers of one object."""
    if not isinstance(content, dict):
        raise lines.problem(f"{_shown(content)} is no object with the keys {id!r} and {text!r}")
    is_result = any(isinstance(content.get(key), dict) for key in ("response", "result", "error"))
    if "custom_id" in content and (is_result or id not in content):
        yield from _batch_answers(content, lines, where)
        return
    if id not in content:
        raise lines.problem(_no_column(id, "key", content))
    likelihoods = _likelihoods(content.get("likelihoods"), lines)
    if text not in content and likelihoods is None:
        raise lines.problem(_no_column(text, "key", content))
    if (texts := content.get(text)) is not None and not _is_text(texts):
        raise lines.problem(f"{text} is {_shown(texts)}; expected is a text or a list of texts")
    ended, model = content.get("ended"), content.get("model")
    if not isinstance(ended, bool | None) or not isinstance(model, str | None):
        found = f"ended is {_shown(ended)} and model {_shown(model)}"
        raise lines.problem(f"{found}; expected are true or false, and a name")
    name = _id_of(content[id], lines)
    answer = GivenAnswer(name, None, likelihoods, ended, model=model or "", where=where)
    if texts is None and likelihoods is None:
        answer = replace(answer, status=MISSING, reason=f"{text} is null in the file")
    ranks = enumerate(texts) if isinstance(texts, list) else [(None, texts)]
    for rank, one in ranks:
        yield replace(answer, text=one, rank=rank)


def _id_of(value: Any, lines: _Lines) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise lines.problem(f"the id is {_shown(value)}; expected is a text, or a whole number")
    return str(value)


def _likelihoods(given: Any, lines: _Lines) -> Likelihoods | None:
    if given is None:
        return None
    if not isinstance(given, dict) or not given:
        raise lines.problem(f"likelihoods is {_shown(given)}; expected is choice -> log-likelihood")
    found: dict[str, float | tuple[float, ...]] = {}
    for choice, value in given.items():
        numbers = value if isinstance(value, list) else [value]
        if not numbers or not all(map(_is_log_likelihood, numbers)):
            raise lines.problem(
                f"the log-likelihood of {choice!r} is {_shown(value)}; expected is a finite number "
                "of at most 0 (a natural logarithm), or a list of these; leave unknown ones out"
            )
        found[choice] = tuple(map(float, numbers)) if isinstance(value, list) else float(value)
    return found


def _is_log_likelihood(number: Any) -> bool:
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    return is_number and -sys.float_info.max <= number <= 0


def _shown(value: Any) -> str:
    return repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:60]}..."


def _no_column(name: str, what: str, found: Iterable[str]) -> str:
    names = [*found]
    listed = ", ".join(names[:12])[:300] + (", ..." if len(names) > 12 else "") or "nothing"
    return (
        f"no {what} {name!r}; found: {listed}. {nearest(name, names)[:200]} Name the {what}s of "
        "ids and texts in the model's entry: answers: {QUERY: {file: ..., id: ..., text: ...}}"
    )


def _table_answers(first: str, lines: _Lines, id: str, text: str) -> Iterator[GivenAnswer]:
    csv.field_size_limit(_LONGEST_CELL)
    separator = max(_SEPARATORS, key=first.count)
    rows = csv.reader(chain([first], lines), delimiter=separator, strict=True)
    begins = lines.number
    try:
        header = next(rows)
        given = [name for name in header if name.startswith(LIKELIHOOD)]
        for wanted in (id, *([] if given else [text])):
            if wanted not in header:
                raise lines.problem(_no_column(wanted, "column", header))
            if header.count(wanted) > 1:
                raise lines.problem(f"there are two columns {wanted!r}: rename one of them")
        begins = lines.number + 1
        for cells in rows:
            if cells:
                if len(cells) != len(header):
                    raise lines.problem(
                        f"{len(cells)} cells, the header has {len(header)}: put texts with "
                        f"{separator!r} or line breaks between double quotes"
                    )
                cell = dict(zip(header, cells, strict=True))
                row = {name: cell[name] for name in (id, text, "model") if name in cell}
                numbers = {
                    name.removeprefix(LIKELIHOOD): cell[name] for name in given if cell[name]
                }
                if numbers:
                    row["likelihoods"] = {name: _number(one) for name, one in numbers.items()}
                    row[text] = row.get(text) or None
                yield from _object_answers(row, lines, lines.where(begins), id, text)
            begins = lines.number + 1
    except csv.Error as error:
        lines.number = begins
        what = f"the row that begins here cannot be read ({error}): close and double double quotes"
        raise lines.problem(what) from error


def _number(cell: str) -> float | str:
    """A cell as a number, or as it is."""
    try:
        return float(cell)
    except ValueError:
        return cell


def _batch_answers(content: Mapping[str, Any], lines: _Lines, where: str) -> Iterator[GivenAnswer]:
    """The answers of a line of a batch's results."""
    name = _id_of(content["custom_id"], lines)
    answer = GivenAnswer(name, None, status=MISSING, where=where)
    try:
        if isinstance(content.get("result"), dict):
            yield _message(answer, content["result"])
        elif content.get("response") or content.get("error"):
            yield from _choices(answer, content)
        else:
            raise lines.problem(
                f"a custom_id without a result, but {_shown([*content])}: if this was sent, name "
                "the file with the results of the batch"
            )
    except (KeyError, TypeError, AttributeError) as error:
        raise lines.problem(
            f"a result of a batch in another form than those of OpenAI and Anthropic ({error!r}): "
            'write it as {"id": ..., "text": ...}'
        ) from error


def _message(answer: GivenAnswer, result: Mapping[str, Any]) -> GivenAnswer:
    """A result of Anthropic's interface."""
    if result["type"] != "succeeded":
        error = result.get("error") or {}
        reason = _reason(error.get("error") or error)
        return replace(answer, reason=f"{_SAYS} {result['type']}{reason and f' ({reason})'}")
    message = result["message"]
    text = "".join(part["text"] for part in message["content"] if part["type"] == "text")
    return _ended(
        replace(answer, text=text, model=message.get("model") or ""), message.get("stop_reason")
    )


def _choices(answer: GivenAnswer, content: Mapping[str, Any]) -> Iterator[GivenAnswer]:
    """The results of OpenAI's interface."""
    response = content.get("response") or {}
    body = response.get("body") or {}
    error = content.get("error") or body.get("error") or {}
    if error or not body or response.get("status_code", 200) != 200:
        status = REFUSED if error.get("code") in _FILTERS else MISSING
        reason = _reason(error) or f"status {response.get('status_code')} without an answer"
        yield replace(answer, status=status, reason=f"{_SAYS} {reason}")
        return
    answer = replace(answer, model=body.get("model") or "")
    several = len(body["choices"]) > 1
    for place, choice in enumerate(body["choices"]):
        message = choice.get("message") or {"content": choice.get("text")}
        refusal, text = message.get("refusal"), message.get("content") or ""
        if not isinstance(text, str):
            text = "".join(part.get("text") or "" for part in text)
        one = replace(answer, text=refusal or text, rank=place if several else None)
        yield _ended(one, "refusal" if refusal else choice.get("finish_reason"))


def _ended(answer: GivenAnswer, why: str | None) -> GivenAnswer:
    """An answer with why it ended, in the words of an interface."""
    if why in _FILTERS:
        return replace(answer, status=REFUSED, reason=f"{_SAYS} {why}")
    return replace(answer, status="ok", ended=_ENDED.get(why))


def _reason(error: Any) -> str:
    """An error of an interface in a line."""
    if not isinstance(error, dict):
        return " ".join(str(error).split())[:200]
    parts = (error.get("code") or error.get("type"), error.get("message"))
    return " ".join(": ".join(str(part) for part in parts if part).split())[:200]
