"""Time fairflow's language-model metrics beside FairLangProc's: same model, sentences and run.

CPU seconds, the smallest of several runs, loading not counted. The model has 4 layers, 256 hidden,
30,522 pieces and random weights. FairLangProc takes one sentence at a time for CPS and
AUL, as it cannot take sentences of unequal length. The package's numbers are not the papers'; only
its time matters here.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from lm_inputs import PERMUTATIONS, jobs, make_model, words

# Runs of FairLangProc, runs of fairflow, and how many times as fast fairflow shall be.
PLAN = {
    "cps": (1, 2, 7),
    "aul": (2, 3, 3),
    "lpbs_shared": (3, 5, 40),
    "lpbs_distinct": (3, 5, 15),
    "embeddings": (3, 5, 10),
    "p_value": (2, 20, 1_500),
}
NAMES = {
    "cps": "CPS, 200 pairs",
    "aul": "AUL, 400 sentences",
    "lpbs_shared": "LPBS, 200 items, shared templates",
    "lpbs_distinct": "LPBS, 200 items, all distinct",
    "embeddings": "600 embeddings of SEAT-like sentences",
    "p_value": "WEAT p-value, 10,000 permutations",
}


def ours(folder: Path, todo: dict) -> dict[str, float]:
    """CPU seconds of fairflow."""
    from fairflow.fairlangproc.exchange_test import exchange_test
    from fairflow.fairlangproc.metrics import AUL, CPS, LPBS
    from fairflow.language_models.networks.embed_texts import embed_texts
    from fairflow.language_models.networks.language_model import load_language_model

    loaded = load_language_model(folder, device="cpu", threads=todo["threads"])
    model, tokenizer = loaded.network, loaded.pieces.tokenizer
    vectors = np.array(todo["weat"])[:, :, 0]
    work = {
        "cps": lambda: CPS(model, tokenizer, todo["sentences"], todo["targets"]),
        "aul": lambda: AUL(model, tokenizer, todo["sentences"]),
        "lpbs_shared": lambda: LPBS(model, tokenizer, *todo["lpbs_shared"]),
        "lpbs_distinct": lambda: LPBS(model, tokenizer, *todo["lpbs_distinct"]),
        "embeddings": lambda: embed_texts(loaded, todo["texts"], "cls"),
        "p_value": lambda: p_value(vectors, exchange_test),
    }
    return {name: fastest(work[name], PLAN[name][1]) for name in todo["jobs"]}


def p_value(vectors: np.ndarray, exchange_test) -> float:
    """Associations and the test, from the vectors on, all permutations drawn."""
    from fairflow.metrics.weat import associations

    x, y, a, b = vectors
    first, second = associations(x, a, b), associations(y, a, b)
    return exchange_test(first, second, "sampled", PERMUTATIONS).p_value


def fastest(work, runs: int) -> float:
    """The smallest CPU time of several runs."""
    taken = []
    for _ in range(runs):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def theirs(python: str, folder: Path, todo: dict) -> tuple[dict[str, float], float]:
    """CPU seconds of FairLangProc, in its own environment, and its peak of memory in MB."""
    script = Path(__file__).with_name("run_fairlangproc.py")
    runs = {name: PLAN[name][0] for name in todo["jobs"]}
    with tempfile.TemporaryDirectory() as place:
        given, found = Path(place, "jobs.json"), Path(place, "results.json")
        given.write_text(json.dumps(todo | {"model": str(folder), "runs": runs}))
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        subprocess.run([python, "-W", "ignore", script, given, found], check=True, env=environment)
        return json.loads(found.read_text())


def start_up() -> float:
    """CPU seconds of a process that imports a metric and the slices, without torch."""
    code = (
        "import time, sys; import fairflow.language_models.metrics.lpbs, "
        "fairflow.language_models.slices.slices; assert 'torch' not in sys.modules; "
        "print(time.process_time())"
    )
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, check=True) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", nargs="?", help="the Python of an environment with FairLangProc")
    parser.add_argument("--threads", type=int, default=1, help="of torch, for both")
    parser.add_argument("--only", nargs="*", choices=PLAN, default=list(PLAN))
    options = parser.parse_args()
    lexicon = words(3_000)
    shape = {"num_hidden_layers": 4, "hidden_size": 256, "num_attention_heads": 4}
    with tempfile.TemporaryDirectory() as folder:
        make_model(Path(folder), lexicon, shape | {"intermediate_size": 1_024})
        todo = jobs(lexicon) | {"jobs": options.only, "threads": options.threads}
        nothing = {}, float("nan")
        peer, peak = theirs(options.python, Path(folder), todo) if options.python else nothing
        own = ours(Path(folder), todo)
        own_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'CPU seconds':36}{'FairLangProc':>14}{'fairflow':>12}{'ratio':>9}{'goal':>8}")
    for name in options.only:
        before = peer.get(name, float("nan"))
        times = f"{before:14.3f}{own[name]:12.4f}{before / own[name]:8.1f}x"
        print(f"{NAMES[name]:36}{times}{PLAN[name][2]:7,}x")
    print(f"{'peak of memory, MB':36}{peak:14,.0f}{own_peak:12,.0f}")
    print(f"{'start of a metric without torch':36}{'':14}{start_up():12.3f}{'':9}{'< 0.4 s':>8}")


if __name__ == "__main__":
    main()
