"""Conversion, look-up and memory on large generated files, compared with gensim and the disk."""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from cost import fastest, wall

DIMS = 300
REAL_WORDS = ["he", "she", "science", "poetry", "rose", "wasp", "naïve", "New_York"]
SCRIPTS = Path(__file__).parents[2] / "scripts"
STORE = 'VectorStore(*(f"{sys.argv[1]}/{name}" for name in ("v", "i", "c")))'


def timed(imports: str, work: str, words: str = "", then: str = "") -> str:
    """Code that prints the seconds of a work and the peak of memory after it."""
    return f"""
import resource, sys, time
{imports}
{words}
start = time.perf_counter()
{work}
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
{then}
print(seconds, peak)
"""


CONVERT = timed(
    "from fairflow.vectors.convert import convert",
    """packing = {"archive": sys.argv[3]} if sys.argv[3] != "none" else None
convert(sys.argv[1], sys.argv[2], *(f"{sys.argv[4]}/{n}" for n in ("v", "i", "c")), packing)""",
)
CONVERT_PARTS = CONVERT.replace("packing)", "packing, subwords=True)")
DERIVE = timed(
    "from fairflow.transforms.normalised import Normalised\n"
    "from fairflow.vectors.derivation import DerivedStore\n"
    "from fairflow.vectors.store import VectorStore, write_word2vec",
    f"""with {STORE} as store:
    write_word2vec(DerivedStore(store, Normalised().fit(store)), sys.argv[2])""",
)
LOOK_UP = f"""
import sys
from fairflow.vectors.store import VectorStore
with {STORE} as store:
    words = [f"w{{i:07d}}" for i in range(0, 1_000_000, 147)]
    print(store.vectors(words).shape[0])
"""
GENSIM = timed(
    "from gensim.models import KeyedVectors",
    "KeyedVectors.load_word2vec_format(sys.argv[1], no_header=True)",
)
UNLISTED = (
    'words = [f"x{i * 31 % 9973:04d}ness" for i in range(500)]',
    "np.save(sys.argv[2], np.asarray(vectors))",
)
COMPOSE = timed(
    "import numpy as np\nfrom fairflow.vectors.store import VectorStore",
    f"with {STORE} as store:\n    vectors = store.vectors(words)",
    *UNLISTED,
)
COMPOSE_PEER = timed(
    "import numpy as np\nfrom gensim.models.fasttext import load_facebook_vectors",
    "known = load_facebook_vectors(sys.argv[1])\nvectors = [known[word] for word in words]",
    *UNLISTED,
)


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
        parts_of_words(folder)


def text(folder: Path, words: int) -> None:
    """GloVe text against reading and writing the same bytes, and against gensim."""
    path = write_text(folder / "glove.txt", words)
    size = path.stat().st_size / 1e6
    seconds, megabytes = python(CONVERT, path, "glove-text", "none", folder)
    floor = count_lines(path) + write_again(path, folder / "again")
    part = write_text(folder / "part.txt", words // 8)
    peer, _ = python(GENSIM, part)
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
    with open(folder / "again", "wb") as target:
        command = [sys.executable, "-m", "isal.igzip", "-d", "-c", str(path)]
        floor = wall(lambda: subprocess.run(command, stdout=target, check=True))
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
    row("  written as a whole at unit length", derived, f"{derived / seconds:.1f}x (at most 2x)")
    row("  peak memory", megabytes, "MB (at most 150)")
    least = fastest(lambda: python(LOOK_UP, folder), 3)["wall"]
    row("  6,803 words looked up by a fresh process", least, "s (at most 0.35)")


def parts_of_words(folder: Path) -> None:
    """A native fastText model with two million rows of n-grams, compared with gensim."""
    path = write_fasttext(folder / "model.bin", 20_000, buckets=2_000_000)
    size = path.stat().st_size / 1e6
    seconds, megabytes = python(CONVERT_PARTS, path, "fasttext-bin", "none", folder)
    row(f"fastText 20,000 words, {size:.0f} MB with parts: convert + index", seconds)
    row("  peak memory", megabytes, "MB (at most 150)")
    own, megabytes = python(COMPOSE, folder, folder / "own.npy")
    peer, theirs = python(COMPOSE_PEER, path, folder / "peer.npy")
    row("  500 words that it does not list composed", own)
    row("  gensim, the model loaded", peer, f"{peer / own:.0f}x faster (10x)")
    row("  peak memory", megabytes, f"MB (at most 150; gensim {theirs:.0f})")
    away = float(abs(np.load(folder / "own.npy") - np.load(folder / "peer.npy")).max())
    print(f"{'  largest difference from gensim':<64}{away:>9.0e}  (at most 1e-06)", flush=True)


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


def write_fasttext(path: Path, words: int, buckets: int, dims: int = 100) -> Path:
    """A native fastText model, laid out as `FastText::saveModel` does; its vectors are noise."""
    some = np.random.default_rng(0).normal(size=(997, dims)).astype("<f4").tobytes()
    with open(path, "wb", buffering=1 << 20) as file:
        file.write(struct.pack("<2i", 793712314, 12))
        file.write(struct.pack("<12id", dims, 5, 5, 1, 5, 1, 2, 2, buckets, 3, 6, 100, 1e-4))
        file.write(struct.pack("<3i2q", words, words, 0, words, -1))
        for i in range(words):
            file.write(b"w%07d\0" % (i * 7919 % 10_000_019) + struct.pack("<qb", 1, 0))
        for rows in (words + buckets, words):
            file.write(struct.pack("<?2q", False, rows, dims))
            whole, rest = divmod(rows * dims * 4, len(some))
            file.writelines([some] * whole)
            file.write(some[:rest])
    return path


def count_lines(path: Path) -> float:
    """Seconds of `cat FILE | wc -l`."""
    how = {"shell": True, "check": True, "stdout": subprocess.DEVNULL}
    return wall(lambda: subprocess.run(f"cat {path} | wc -l", **how))


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
