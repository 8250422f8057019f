"""Time derived models of GloVe 6B 50d (400,000 words), and WEFE's debiasing; `make bench`.

Seconds are CPU time on one thread, each in a separate process. WEFE's are those of `fit` and
`transform` of a model that is in memory; ours those of deriving the model, which is all that a run
does, of changing all vectors in memory, and of writing the whole model into a file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml
from cost import ONE_THREAD, Cost, cost_of, wall
from oracle.pinned import ROOT, entry_of, pinned_file

from fairflow.planning.models import Model
from fairflow.queries.query_file import write_words
from fairflow.vectors.word_frequency import OWN_ORDER, WordFrequency, write_word_frequency

MODEL = "glove-6B-50d"
SCRIPTS = ROOT / "scripts"
NAMES = {"vectors": "vectors", "index": "index.sqlite", "card": "card.json"}
QUERY = {
    "targets": {"Career": "weat:career", "Family": "weat:family"},
    "attributes": {"Male": "weat:male_terms", "Female": "weat:female_terms"},
}
OURS = """
import json, re, sys, time
from pathlib import Path
import numpy as np
from fairflow.transforms import transform_class
from fairflow.vectors.derivation import derive
from fairflow.vectors.derivation import open_store
from fairflow.vectors.store import write_word2vec

def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start

def write():
    with open_store(**store) as vectors:
        write_word2vec(vectors, sys.argv[4])

def change():
    transform.fit((words, vectors)).apply(words, vectors)

base, (name, parameters), target = *map(json.loads, sys.argv[1:3]), sys.argv[3]
transform = transform_class(name)(**parameters)
store = {**base, "derivations": [target]}
costs = {"derive": seconds(lambda: derive(transform, target, **base))}
start = time.perf_counter()
costs["write"] = seconds(write)
costs["wall"] = time.perf_counter() - start
# Not of resource, which counts what the process before it had.
peak = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())
costs["megabytes"] = int(peak[1]) / 1024
with open_store(**base) as model:
    blocks = list(model.rows_in_blocks())
words = [word for block, _, _ in blocks for word in block]
vectors = np.concatenate([rows for *_, rows in blocks])
costs["change"] = min(seconds(change) for _ in range(3))
print(json.dumps(costs))
"""
CONVERT = """
import json, sys
from pathlib import Path
from fairflow.vectors.convert import convert
source, paths, conversion = sys.argv[1], *map(json.loads, sys.argv[2:])
convert(Path(source), conversion.pop("format"), **paths, **conversion)
print("{}")
"""
SLICE = """
import json, sys
from fairflow.vectors.slice_files import keep_store_slices
words, order, path, store = sys.argv[1:]
how = {"model": "m", "queries": {"q": "as_written"}, "lookups": {"as_written": {}}, "prefix": None}
how |= {"random": ["q"], "random_words": 1000, "seed": 0, "most_are_found": False}
keep_store_slices(path, json.loads(store), order, [order], words, how, "code")
"""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="the Python of an environment with WEFE")
    python = parser.parse_args().python
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = converted(folder)
        sets = word_lists()
        (folder / "sets.json").write_text(json.dumps(sets), encoding="utf-8")
        whole_models(python, folder, base, methods(sets))
        queries(folder, base)


def converted(folder: Path) -> dict[str, str]:
    """The model as the workflow converts it."""
    model = Model(MODEL, entry_of(MODEL))
    paths = {key: str(folder / name) for key, name in NAMES.items()}
    # In a separate process, so that measured processes do not start with its memory.
    source = pinned_file(model.entry, folder)
    child(sys.executable, "-c", CONVERT, source, *map(json.dumps, (paths, model.conversion)))
    return paths


def word_lists() -> dict[str, Any]:
    """Pairs and words of debiaswe in lower case, as the model has them."""
    path = ROOT / "config/word_sets/debiaswe.yaml"
    entries = yaml.safe_load(path.read_text("utf-8"))["sets"]
    pairs, equalise = (
        list(dict.fromkeys(tuple(map(str.lower, pair)) for pair in entries[name]["tuples"]))
        for name in ("definitional_pairs", "equalize_pairs")
    )
    return {
        "pairs": pairs,
        "equalise": equalise,
        "specific": sorted({word.lower() for word in entries["gender_specific_full"]["words"]}),
        "male": [word.lower() for word in entries["male_terms"]["words"]],
        "female": [word.lower() for word in entries["female_terms"]["words"]],
    }


def methods(sets: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Transform -> its parameters."""
    pairs, equalise, specific = (sets[name] for name in ("pairs", "equalise", "specific"))
    groups = {"groups": [sets["male"], sets["female"]]}
    return {
        "hard_debias": {"definitional": pairs, "equalise": equalise, "specific": specific},
        "multiclass_hard_debias": {
            "definitional": pairs,
            "equalise": equalise,
            "specific": specific,
        },
        "half_sibling_regression": {"definitional": specific},
        "linear_projection": {"definitional": pairs},
        "leace": groups,
    }


def whole_models(
    python: str, folder: Path, base: dict[str, str], named: dict[str, dict[str, Any]]
) -> None:
    """Each method on all vectors, compared with WEFE's and with copying the file."""
    copied = min(copying(Path(base["vectors"]), folder / "copy") for _ in range(5))
    print(f"\ncopying the file of vectors: {copied:.3f} s wall")
    columns = ("derive", "in memory", "to a file", "MB", "WEFE", "its MB", "ratios", "file, wall")
    print(f"{'CPU s':<26}" + "".join(f"{column:>12}" for column in columns))
    print(f"{'  (goal)':<26}{'':>36}{'at most 150':>12}{'':>24}{'20x':>12}{'2x copying':>12}")
    for name, parameters in named.items():
        arguments = [json.dumps(base), json.dumps([name, parameters])]
        own = child(
            sys.executable, "-c", OURS, *arguments, folder / f"{name}.npz", folder / "whole"
        )
        line = f"{name:<26}" + "".join(f"{own[key]:12.2f}" for key in ("derive", "change", "write"))
        line += f"{own['megabytes']:12.0f}"
        if name in ("hard_debias", "multiclass_hard_debias", "half_sibling_regression"):
            script = Path(__file__).with_name("wefe_debias.py")
            peer = child(python, script, base["vectors"], folder / "sets.json", name)
            ratios = (peer["debias"] / own[key] for key in ("derive", "change", "write"))
            shown = "/".join(f"{ratio:.0f}" for ratio in ratios) + "x"
            line += f"{peer['debias']:12.2f}{peer['megabytes']:12.0f}{shown:>12}"
        else:
            line += f"{'-':>12}" * 3
        print(line + f"{own['wall'] / copied:11.1f}x", flush=True)


def queries(folder: Path, base: dict[str, str]) -> None:
    """A slice of a derived model and one of its base, each a process with a cold start."""
    listed = {
        f"{path.stem}:{name}": entry.get("words")
        for path in (ROOT / "config/word_sets").glob("*.yaml")
        for name, entry in yaml.safe_load(path.read_text("utf-8"))["sets"].items()
    }
    named = {r: {n: listed[ref] for n, ref in sets.items()} for r, sets in QUERY.items()}
    words, order, path = (folder / name for name in ("words.json", "order.json", "slices.parquet"))
    write_words({"q": named}, words)
    write_word_frequency(WordFrequency(OWN_ORDER), order)
    print(f"\n{'slice of a query':<26}{'CPU s':>12}{'MB':>12}  (at most 1.1 of the base's)")
    costs: dict[str, list[Cost]] = {"of the base": [], "of the derived model": []}
    # In turns, so that whatever else the machine does concerns both.
    for _ in range(15):
        for derivations, spent in zip(
            ([], [str(folder / "hard_debias.npz")]), costs.values(), strict=True
        ):
            store = json.dumps({**base, "derivations": derivations})
            arguments = (words, order, path, store)
            path.unlink(missing_ok=True)
            spent.append(cost_of([sys.executable, "-c", SLICE, *arguments], folder, SCRIPTS))
    least = {what: min(spent, key=lambda cost: cost.cpu) for what, spent in costs.items()}
    for what, cost in least.items():
        ratio = cost.cpu / least["of the base"].cpu
        print(f"  {what:<24}{cost.cpu:12.3f}{cost.megabytes:12.0f}  {ratio:.2f}")


def copying(source: Path, target: Path) -> float:
    """Wall seconds for a copy of a file by cp, which is then removed."""
    seconds = wall(lambda: subprocess.run(["cp", source, target], check=True))
    target.unlink()
    return seconds


def child(*command: object) -> dict[str, float]:
    """What a process prints as JSON in its last line."""
    own = {"PYTHONPATH": str(SCRIPTS)} if command[0] == sys.executable else {}
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | ONE_THREAD | own
    done = subprocess.run(
        [str(part) for part in command],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
