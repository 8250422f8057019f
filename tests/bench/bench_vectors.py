"""Conversion, look-up and memory on large generated files, beside gensim and the disk."""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

DIMS = 300
REAL_WORDS = ["he", "she", "science", "poetry", "rose", "wasp", "naïve", "New_York"]
SCRIPTS = Path(__file__).parents[2] / "scripts"
CONVERT = """
import resource, sys, time
from fairflow.vectors.convert import convert
start = time.perf_counter()
packing = {"archive": sys.argv[3]} if sys.argv[3] != "none" else None
convert(sys.argv[1], sys.argv[2], *(f"{sys.argv[4]}/{n}" for n in ("v", "i", "c")), packing)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
DERIVE = """
import resource, sys, time
from fairflow.transforms.normalised import Normalised
from fairflow.vectors.derive import derive
names = dict(vectors="v", index="i", card="c")
base, new = ({key: f"{folder}/{name}" for key, name in names.items()} for folder in sys.argv[1:])
start = time.perf_counter()
derive(base, Normalised(), **new)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
LOOK_UP = """
import sys
from fairflow.vectors.store import VectorStore
with VectorStore(*(f"{sys.argv[1]}/{name}" for name in ("v", "i", "c"))) as store:
    words = [f"w{i:07d}" for i in range(0, 1_000_000, 147)]
    print(store.vectors(words).shape[0])
"""
GENSIM = """
import sys, time
from gensim.models import KeyedVectors
start = time.perf_counter()
KeyedVectors.load_word2vec_format(sys.argv[1], no_header=True)
print(time.perf_counter() - start)
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=200_000, help="words of the text file")
    words = parser.parse_args().words
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text(folder, words)
        packed(folder)
        memory(folder)
        binary(folder)


def text(folder: Path, words: int) -> None:
    """GloVe text against reading and writing the same bytes, and against gensim."""
    path = write_text(folder / "glove.txt", words)
    size = path.stat().st_size / 1e6
    seconds, megabytes = python(CONVERT, path, "glove-text", "none", folder)
    floor = count_lines(path) + write_again(path, folder / "again")
    part = write_text(folder / "part.txt", words // 8)
    (peer,) = python(GENSIM, part)
    row(f"GloVe text {words:,} x {DIMS} ({size:.0f} MB): convert + index", seconds)
    row("  wc -l and writing the same bytes", floor, f"{seconds / floor:.1f}x (at most 3x)")
    peer *= 8
    row("  gensim, an eighth of it times 8", peer, f"{peer / seconds:.0f}x faster (25x)")
    row("  peak memory", megabytes, "MB (at most 150)")


def packed(folder: Path) -> None:
    """The same file gzipped, against the decompressor alone and writing."""
    plain, path = folder / "glove.txt", folder / "glove.txt.gz"
    with open(plain, "rb") as source, gzip.open(path, "wb", compresslevel=1) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    seconds, _ = python(CONVERT, path, "glove-text", "gz", folder)
    start = time.perf_counter()
    with open(folder / "again", "wb") as target:
        subprocess.run(
            [sys.executable, "-m", "isal.igzip", "-d", "-c", str(path)], stdout=target, check=True
        )
    floor = time.perf_counter() - start
    row("GloVe text gzipped: convert + index", seconds)
    row("  igzip and writing", floor, f"{seconds / floor:.1f}x (at most 1.5x)")


def memory(folder: Path) -> None:
    """Peak memory does not grow with the file."""
    for words in (50_000, 400_000):
        path = write_text(folder / "some.txt", words)
        _, megabytes = python(CONVERT, path, "glove-text", "none", folder)
        row(f"peak memory at {words:,} words", megabytes, "MB")
        path.unlink()


def binary(folder: Path, words: int = 1_000_000) -> None:
    """word2vec binary: speed of the index, and a look-up in a fresh process."""
    path = folder / "big.bin"
    vectors = np.random.default_rng(0).normal(size=(100, DIMS)).astype("<f4")
    with open(path, "wb", buffering=1 << 20) as file:
        file.write(f"{words} {DIMS}\n".encode())
        for i in range(words):
            file.write(f"w{i:07d} ".encode() + vectors[i % 100].tobytes())
    seconds, megabytes = python(CONVERT, path, "word2vec-binary", "none", folder)
    speed = path.stat().st_size / 1e6 / seconds
    row(f"word2vec binary {words:,} x {DIMS}: convert + index", seconds, f"{speed:.0f} MB/s (300)")
    row("  peak memory", megabytes, "MB")
    path.unlink()
    derived, megabytes = python(DERIVE, folder, folder / "unit")
    row("  derived from it at unit length", derived, f"{derived / seconds:.1f}x (at most 2x)")
    row("  peak memory", megabytes, "MB (at most 150)")
    times = []
    for _ in range(3):
        start = time.perf_counter()
        python(LOOK_UP, folder)
        times.append(time.perf_counter() - start)
    row("  6,803 words looked up by a fresh process", min(times), "s (at most 0.35)")


def write_text(path: Path, words: int) -> Path:
    """A GloVe file with some real words, spread over it."""
    draw = np.random.default_rng(0).normal(0, 0.4, size=(500, DIMS))
    tails = [" ".join(f"{x:.6g}" for x in row) for row in draw]
    every = max(1, words // len(REAL_WORDS))
    with open(path, "w", encoding="utf-8", buffering=1 << 20) as file:
        for i in range(words):
            planted = i % every == 0 and i // every < len(REAL_WORDS)
            word = REAL_WORDS[i // every] if planted else f"w{i * 7919 % 10_000_019:07d}"
            file.write(f"{word} {tails[i % 500]}\n")
    return path


def count_lines(path: Path) -> float:
    """Seconds of `cat FILE | wc -l`."""
    start = time.perf_counter()
    subprocess.run(f"cat {path} | wc -l", shell=True, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def write_again(path: Path, target: Path) -> float:
    """Seconds for writing the bytes of a file, read from the cache."""
    start = time.perf_counter()
    with open(path, "rb", buffering=0) as source, open(target, "wb", buffering=0) as file:
        while block := source.read(4 << 20):
            file.write(block)
    return time.perf_counter() - start


def python(code: str, *arguments: object) -> tuple[float, ...]:
    """Run code in a fresh process; the numbers that it prints."""
    result = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(SCRIPTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(float(field) for field in result.stdout.split())


def row(what: str, value: float, remark: str = "s") -> None:
    """One line of the table."""
    print(f"{what:<64}{value:>9.2f}  {remark}", flush=True)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
