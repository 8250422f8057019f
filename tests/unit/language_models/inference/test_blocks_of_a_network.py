"""Whole jobs that ask a network in blocks: killed, resumed, and of any number of items."""

import tracemalloc
from dataclasses import replace
from types import SimpleNamespace

import pytest
from rule_scripts import run_script

from fairflow.language_models.items.answer_items import WordAssociationItem
from fairflow.language_models.items.item_set import ItemSet, write_items
from fairflow.language_models.items.text_items import PairItem, Prompt
from fairflow.language_models.slices.slices import keep_answers, read_kept_answers

JOBS = ("nurse", "doctor", "engineer", "man", "woman", "kid", "receptionist")
PAIRS = tuple(
    PairItem(f"{job}-{place}", f"The {job} was {place} and he was kind.", f"The {job} was {place}.")
    for job in JOBS
    for place in ("here", "there", "good", "bad")
)
PROMPTS = tuple(Prompt(f"{n}", pair.less.removesuffix(".")) for n, pair in enumerate(PAIRS))
NEEDS = ["causal/all"]


class Killed(BaseException):
    """What no code may catch."""


def in_blocks_of(size, monkeypatch):
    network = "fairflow.language_models.inference.language_model.LanguageModel"
    monkeypatch.setattr(f"{network}.items_together", size)


@pytest.fixture
def folder(tmp_path, causal, monkeypatch):
    """A folder with items, a manifest and, in place of a model's folder, a model."""
    in_blocks_of(8, monkeypatch)
    monkeypatch.setattr(
        "fairflow.language_models.inference.language_model.load_language_model",
        lambda *_: causal,
    )
    (tmp_path / "manifest.json").write_text("{}")
    write_items(ItemSet("pair", PAIRS), tmp_path / "pairs.json")
    write_items(ItemSet("prompt", PROMPTS), tmp_path / "prompts.json")
    return tmp_path


def tokens(folder, output="results/tokens/m/q.parquet", code="code", needs=NEEDS):
    ask("score_tokens", folder, "pairs", {"tokens": folder / output}, code, needs={"q": needs})
    return (folder / output).read_bytes()


def completions(folder, output="results/completions/m/q.parquet", code="code"):
    drawn = {"method": "sample", "completions": 2, "max_new_tokens": 4}
    how = {"kind": "causal", "decodings": {"q": drawn}}
    ask("complete_prompts", folder, "prompts", {"completions": folder / output}, code, **how)
    return (folder / output).read_bytes()


def ask(script, folder, items, made, code, **how):
    read = {"item_sets": [folder / f"{items}.json"], "folder": folder}
    running = {"loading": {}, "device": "cpu", "token_budget": None}
    read |= {"manifest": folder / "manifest.json"}
    run_script(f"language_models/{script}", read, made, how | running, code, model="m")


def completed(path):
    """The completions of a file."""
    return read_kept_answers([path])["m", "q"].read()


@pytest.fixture(params=["tokens", "completions"])
def job(request, monkeypatch, torch):
    """A job, the ids that its network was queried with, and a way to let it die at one."""
    name = {"tokens": "score_tokens", "completions": "complete_prompts"}[request.param]
    from fairflow.language_models.inference import complete_prompts, score_tokens

    module = {"tokens": score_tokens, "completions": complete_prompts}[request.param]
    network, asked, deadly = getattr(module, name), [], []

    def counting(model, requests, *rest, **options):
        ids = [getattr(one, "prompt_id", None) or one.text_id for one in requests]
        if set(deadly) & set(ids):
            raise Killed
        asked.extend(ids)
        return network(model, requests, *rest, **options)

    monkeypatch.setattr(module, name, counting)
    run = {"tokens": tokens, "completions": completions}[request.param]
    at = {"tokens": f"{PAIRS[20].item_id}/more", "completions": "20"}[request.param]
    return run, asked, deadly, at


def test_a_job_that_was_killed_asks_the_rest_alone_and_ends_with_the_same_bytes(folder, job):
    run, asked, deadly, at = job
    whole = run(folder, "whole/results/tokens/m/q.parquet")
    everything = [*asked]
    asked.clear()
    deadly.append(at)
    with pytest.raises(Killed):
        run(folder)
    before = [*asked]
    asked.clear()
    deadly.clear()
    assert run(folder) == whole
    assert before + asked == everything
    assert len(asked) < len(before)


@pytest.mark.parametrize("changed", ["code", "manifest.json", "items"])
def test_what_another_code_model_or_file_of_items_has_left_is_asked_again(folder, job, changed):
    run, asked, deadly, at = job
    deadly.append(at)
    with pytest.raises(Killed):
        run(folder)
    deadly.clear()
    asked.clear()
    if changed == "manifest.json":
        (folder / changed).write_text('{"revision": 2}')
    if changed == "items":
        write_items(ItemSet("pair", PAIRS[::-1]), folder / "pairs.json")
        write_items(ItemSet("prompt", PROMPTS[::-1]), folder / "prompts.json")
    run(folder, code="other code" if changed == "code" else "code")
    assert len(asked) == {tokens: 2, completions: 1}[run] * len(PAIRS)


def test_sampled_completions_do_not_depend_on_blocks(folder, monkeypatch):
    completions(folder, "results/completions/m/blocks.parquet")
    in_blocks_of(1_000, monkeypatch)
    completions(folder, "results/completions/m/one.parquet")
    many, one = (
        completed(folder / f"results/completions/m/{name}.parquet") for name in ("blocks", "one")
    )
    assert [(c.prompt_id, c.rank, c.text, c.seed) for c in many] == [
        (c.prompt_id, c.rank, c.text, c.seed) for c in one
    ]


def test_a_prompt_that_no_model_can_complete_is_refused_before_any_is(folder, masked, monkeypatch):
    from fairflow.language_models.errors import ItemError
    from fairflow.language_models.inference.complete_prompts import check_prompts
    from fairflow.language_models.items.text_items import Decoding

    prompts = [Prompt("a", "He is [MASK]."), Prompt("b", "[MASK] is [MASK].")]
    check_prompts(masked, prompts[:1], Decoding("fill_mask"))
    with pytest.raises(ItemError, match=r"prompt 'b'.* must have one \[MASK\], found 2"):
        check_prompts(masked, prompts, Decoding("fill_mask"))


def test_four_times_the_items_take_less_than_a_quarter_more_memory(folder, monkeypatch):
    def traced(*arguments, **options):
        tracemalloc.start()
        try:
            keep_answers(*arguments, **options)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()

    peaks = []
    in_blocks_of(32, monkeypatch)
    monkeypatch.setattr("fairflow.language_models.slices.slices.ITEMS", 32)
    monkeypatch.setattr("fairflow.files.kept.MOST_BYTES", 1 << 16)
    tokens(folder)
    monkeypatch.setattr("fairflow.language_models.slices.slices.keep_answers", traced)
    for number in (64, 256):
        pairs = [
            PairItem(f"{n}", f"{PAIRS[n % 16].more} {n}", PAIRS[3].less) for n in range(number)
        ]
        write_items(ItemSet("pair", tuple(pairs)), folder / "pairs.json")
        tokens(folder)
    # The items themselves are in memory.
    assert peaks[1] < 1.25 * peaks[0]


def test_a_large_network_is_asked_about_few_items_together_and_a_small_one_about_many(causal):
    assert causal.items_together == 256
    larger = SimpleNamespace(parameters=lambda: [SimpleNamespace(numel=lambda: 320_000_000)])
    assert replace(causal, network=larger).items_together == 4


def test_the_items_of_a_kind_that_is_answered_in_text_are_messages(folder, causal, monkeypatch):
    template = "{% for one in messages %}<u>{{ one['content'] }}<b>{% endfor %}"
    monkeypatch.setattr(causal.tokens.tokenizer, "chat_template", template)
    words = WordAssociationItem(
        "a", "{label_1} or {label_2}: {words}?", ("man",), ("woman",), ("kind",), ("bad",)
    )
    in_template = f"<u>{words.message_of(0)}<b>"
    write_items(ItemSet("word_association", (words,)), folder / "prompts.json")
    completions(folder)
    (answer, _) = completed(folder / "results/completions/m/q.parquet")
    assert (answer.prompt_id, answer.rank) == ("a", 0)
    write_items(ItemSet("prompt", (Prompt("a#0", in_template),)), folder / "prompts.json")
    completions(folder, "results/completions/m/plain.parquet")
    (plain, _) = completed(folder / "results/completions/m/plain.parquet")
    assert (answer.text, answer.logp) == (plain.text, plain.logp)
