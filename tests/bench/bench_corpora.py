"""Time counting and training on made-up texts; `make bench` runs it.

The words of a text are drawn independently by Zipf's law, which gives more different pairs than a
language does. Tokens are on the disk, and each row is a process with one thread. The
ratio is that of its CPU time and that of gensim's training over the texts once, both without the
start of a process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from cost import cost_of, row

from fairflow.corpora.cooccurrence import (
    SubcorpusCounts,
    count_pairs,
    count_subcorpus,
    numbered_words,
)
from fairflow.corpora.corpus import Corpus
from fairflow.corpora.embeddings import EMBEDDINGS, Training
from fairflow.corpora.sample import Sample
from fairflow.statistics.counts import log_odds_ratios

WORDS, WINDOW, DIMS, DRAWS, CONTEXTS = 50_000, 10, 100, 200, 1000
# Ranks of the list words: 80 words with 2 % of all tokens.
LISTED = [f"w{rank}" for rank in np.geomspace(100, 20_000, 80).astype(int)]
BLOCKS = "blocks.npz"
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def make_texts(folder: Path, tokens: int) -> None:
    """Documents of 100 to 2,000 words, made in another process: a child starts with the peak
    memory of its parent."""
    random = np.random.default_rng(1)
    lengths = random.integers(100, 2000, tokens // 1050)
    bounds = np.concatenate(([0], np.cumsum(lengths)))
    shares = np.cumsum(1 / np.arange(1, WORDS + 1))
    file = np.lib.format.open_memmap(folder / "tokens.npy", "w+", np.int32, (int(bounds[-1]),))
    for start in range(0, len(file), 1_000_000):
        part = file[start : start + 1_000_000]
        part[:] = np.searchsorted(shares / shares[-1], random.random(len(part)))
    file.flush()
    np.save(folder / "bounds.npy", bounds)


def sample_in(folder: Path) -> Sample:
    """All documents of a folder."""
    tokens, bounds = (
        np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("tokens", "bounds")
    )
    words = [f"w{rank}" for rank in range(WORDS)]
    corpus = Corpus(tokens, np.array(bounds), words, {}, np.zeros(len(bounds) - 1), {})
    return Sample(corpus, np.arange(len(bounds) - 1))


def count_whole_table(folder: Path) -> None:
    """Every word with every word, a band of the table at a time."""
    sample = sample_in(folder)
    numbers = numbered_words(sample, 5)
    for _ in count_pairs(sample, numbers, numbers, WINDOW):
        pass


def count_list_words(folder: Path) -> None:
    """Counts of the list words by block."""
    how = {"contexts": CONTEXTS, "window": WINDOW}
    counts = count_subcorpus(sample_in(folder), "made-up", {}, LISTED, 0, 1, **how)
    counts.write(folder / BLOCKS)


def draw(folder: Path) -> None:
    """Vectors of the list words and a log odds ratio of 200 draws, from the counts by block."""
    counts = SubcorpusCounts.read(folder / BLOCKS)
    training = Training("made-up-pmi", "pmi", {}, WINDOW, 1, 1)
    quarters = np.array_split(LISTED, 4)
    pairs = [counts.between(one, two) for one in quarters[:2] for two in quarters[2:]]
    cells = np.concatenate([np.asarray(each.sum(axis=0)) for each in pairs])
    for number in range(DRAWS):
        training.reweighted(counts, "documents", number)
        log_odds_ratios(cells @ counts.weights("documents", number, 1))


def embed(name: str, folder: Path, **parameters: int) -> None:
    """The vectors of an embedding."""
    EMBEDDINGS[name](sample_in(folder), WINDOW, 5, 1, **parameters)


TASKS = {
    "start": sample_in,
    "sgns": lambda folder: embed("sgns", folder, dims=DIMS, epochs=1),
    "whole table, by bands": count_whole_table,
    "pmi": lambda folder: embed("pmi", folder, contexts=CONTEXTS),
    "ppmi_svd": lambda folder: embed("ppmi_svd", folder, dims=DIMS),
    "list words by block": count_list_words,
    "200 draws": draw,
}


def main() -> None:
    """Print the table, or do one task of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", type=int, nargs="*", default=[10], help="tokens")
    parser.add_argument("--task", choices=TASKS)
    parser.add_argument("--tasks", nargs="*", default=list(TASKS)[1:], choices=list(TASKS)[1:])
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    if asked.task:
        TASKS[asked.task](asked.folder)
        return
    for million in asked.million:
        with tempfile.TemporaryDirectory() as folder:
            maker = get_context("spawn").Process(
                target=make_texts, args=(Path(folder), million * 1_000_000)
            )
            maker.start()
            maker.join()
            print(f"{million} million tokens{'':<24}{'wall s':>10}{'CPU s':>10}{'MB':>8}")
            whole, start = None, None
            for task in ["start", *asked.tasks]:
                command = [sys.executable, __file__, "--task", task, "--folder", folder]
                cost = cost_of(command, Path(folder), SCRIPTS)
                start, whole = start or cost, whole or (task == "sgns" and cost)
                ratio = (cost.cpu - start.cpu) / (whole.cpu - start.cpu) if whole else None
                row(task, cost, f"{ratio:.3f} of sgns" if ratio is not None else "")


if __name__ == "__main__":
    main()
