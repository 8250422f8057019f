"""Time fairflow's language-model metrics, FairLangProc's, and lm-eval's likelihoods.

CPU seconds, the smallest of several runs, loading not counted, and what fairflow does in one of
them: sentences of CPS and AUL, items of LPBS, texts of embeddings, tests of WEAT. Same models,
sentences and run. The models have 4 layers, 256 hidden, 30,522 tokens and random weights.
FairLangProc takes one sentence at a time for CPS and AUL, as it cannot take sentences of unequal
length. The package's numbers are not the papers'; only its time matters here. Those of lm-eval must
be fairflow's.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cost import fastest
from lm_inputs import PERMUTATIONS, jobs, make_model, words


class Job(NamedTuple):
    """A row of the table; how many it does, runs of both, and how much faster fairflow shall be."""

    what: str
    count: int
    their_runs: int
    runs: int
    goal: int


JOBS = {
    "cps": Job("CPS, 200 pairs", 400, 1, 2, 7),
    "aul": Job("AUL, 400 sentences", 400, 2, 3, 3),
    "lpbs_shared": Job("LPBS, 200 items, shared templates", 200, 3, 5, 40),
    "lpbs_distinct": Job("LPBS, 200 items, all distinct", 200, 3, 5, 15),
    "embeddings": Job("600 embeddings of SEAT-like sentences", 600, 3, 5, 10),
    "p_value": Job("WEAT p-value, 10,000 permutations", 1, 2, 20, 1_500),
}
# Runs of likelihoods, and lm-eval's batch sizes; the fastest counts.
RUNS, BATCHES = 3, (1, 16, 64)


def ours(folder: Path, todo: dict) -> dict[str, float]:
    """CPU seconds of fairflow."""
    from fairflow.fairlangproc.metrics import AUL, CPS, LPBS
    from fairflow.fairlangproc.metrics.embedding import exchange_test
    from fairflow.language_models.inference.embed_texts import embed_texts
    from fairflow.language_models.inference.language_model import load_language_model

    loaded = load_language_model(folder, device="cpu", threads=todo["threads"])
    model, tokenizer = loaded.network, loaded.tokens.tokenizer
    vectors = np.array(todo["weat"])[:, :, 0]
    work = {
        "cps": lambda: CPS(model, tokenizer, todo["sentences"], todo["targets"]),
        "aul": lambda: AUL(model, tokenizer, todo["sentences"]),
        "lpbs_shared": lambda: LPBS(model, tokenizer, *todo["lpbs_shared"]),
        "lpbs_distinct": lambda: LPBS(model, tokenizer, *todo["lpbs_distinct"]),
        "embeddings": lambda: embed_texts(loaded, todo["texts"], "cls"),
        "p_value": lambda: p_value(vectors, exchange_test),
    }
    return {name: fastest(work[name], JOBS[name].runs)["cpu"] for name in todo["jobs"]}


def own_likelihoods(folder: Path, todo: dict) -> tuple[float, list[float]]:
    """CPU seconds of fairflow for the likelihoods of texts, and these."""
    from fairflow.language_models.inference.language_model import load_language_model
    from fairflow.language_models.inference.score_tokens import score_tokens
    from fairflow.language_models.items.text_items import SentenceItem

    model = load_language_model(folder, device="cpu", threads=todo["threads"])
    texts = [SentenceItem(str(n), text) for n, text in enumerate(todo["sentences"])]
    requests = [one for text in texts for one in text.requests("causal")]
    seconds = fastest(lambda: score_tokens(model, requests), RUNS)["cpu"]
    return seconds, [text.total for text in score_tokens(model, requests)]


def beside_lm_eval(python: str, lexicon: list[str], todo: dict) -> None:
    """Print the likelihoods per second of both, with lm-eval's best size of a batch."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "model")
        make_model(folder, lexicon, "causal", n_layer=4, n_embd=256, n_head=4)
        own, expected = own_likelihoods(folder, todo)
        script = Path(__file__).with_name("run_lm_eval.py")
        best = float("inf")
        for batch in BATCHES:
            asked = {"model": str(folder), "end": "<|endoftext|>", "runs": RUNS, "batch": batch}
            seconds, found = in_environment(python, script, todo | asked)
            np.testing.assert_allclose(found, expected, rtol=1e-4)
            best = min(best, seconds)
    ratio = f"{best / own:8.1f}x{1:7,}x"
    print(heading("lm-eval"))
    print(f"{'likelihoods of 400 texts':36}{best:14.3f}{own:12.4f}{ratio}{400 / own:10,.0f}")


def p_value(vectors: np.ndarray, exchange_test) -> float:
    """Associations and the test, from the vectors on, all permutations drawn."""
    from fairflow.metrics.weat import associations

    x, y, a, b = vectors
    first, second = associations(x, a, b), associations(y, a, b)
    return exchange_test(first, second, PERMUTATIONS, exact_up_to=0)


def theirs(python: str, folder: Path, todo: dict) -> tuple[dict[str, float], float]:
    """CPU seconds of FairLangProc, in its own environment, and its peak of memory in MB."""
    script = Path(__file__).with_name("run_fairlangproc.py")
    runs = {name: JOBS[name].their_runs for name in todo["jobs"]}
    return in_environment(python, script, todo | {"model": str(folder), "runs": runs})


def in_environment(python: str, script: Path, todo: dict) -> list:
    """What a script of another environment finds."""
    with tempfile.TemporaryDirectory() as place:
        given, found = Path(place, "jobs.json"), Path(place, "results.json")
        given.write_text(json.dumps(todo))
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        environment |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
        command = [python, "-W", "ignore", script, given, found]
        subprocess.run(command, check=True, env=environment)
        return json.loads(found.read_text())


def heading(peer: str) -> str:
    """The names of the columns."""
    columns = f"{'fairflow':>12}{'ratio':>9}{'goal':>8}{'a second':>10}"
    return f"{'CPU seconds':36}{peer:>14}{columns}"


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
    parser.add_argument("--lm-eval", help="the Python of an environment with lm-eval")
    parser.add_argument("--threads", type=int, default=1, help="of torch, for both")
    parser.add_argument("--only", nargs="*", choices=JOBS, default=list(JOBS))
    options = parser.parse_args()
    lexicon = words(3_000)
    shape = {"num_hidden_layers": 4, "hidden_size": 256, "num_attention_heads": 4}
    shape["intermediate_size"] = 1_024
    with tempfile.TemporaryDirectory() as folder:
        make_model(Path(folder), lexicon, "masked", **shape)
        todo = jobs(lexicon) | {"jobs": options.only, "threads": options.threads}
        nothing = {}, float("nan")
        peer, peak = theirs(options.python, Path(folder), todo) if options.python else nothing
        own = ours(Path(folder), todo)
        own_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(heading("FairLangProc"))
    for name in options.only:
        before = peer.get(name, float("nan"))
        job, rate = JOBS[name], JOBS[name].count / own[name]
        times = f"{before:14.3f}{own[name]:12.4f}{before / own[name]:8.1f}x"
        print(f"{job.what:36}{times}{job.goal:7,}x{rate:10,.0f}")
    print(f"{'peak of memory, MB':36}{peak:14,.0f}{own_peak:12,.0f}")
    print(f"{'start of a metric without torch':36}{'':14}{start_up():12.3f}{'':9}{'< 0.4 s':>8}")
    if options.lm_eval:
        beside_lm_eval(options.lm_eval, lexicon, todo)


if __name__ == "__main__":
    main()
