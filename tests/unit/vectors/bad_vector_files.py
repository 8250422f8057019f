"""Files of vectors with a fault: what is wrong, contents, what the error must say; a line each.

A file of words stands after that for the format npy, if it is not WORDS.
"""

import pickle
import struct

HEADER = "line 1: expected 'COUNT DIMS' with at most 100,000 dims, found "


def record(word: bytes, *values: float) -> bytes:
    """A record of word2vec's binary format."""
    return word + b" " + struct.pack(f"<{len(values)}f", *values)


def fasttext(
    *,
    magic: bytes = struct.pack("<2i", 793712314, 12),
    dims: int = 2,
    bucket: int = 3,
    parts: tuple[int, int] = (3, 6),
    counts: tuple[int, int, int] = (2, 2, 0),
    words: tuple[bytes, ...] = (b"cat", b"dog"),
    quantised: bool = False,
    shape: tuple[int, int] = (5, 2),
    end: bytes = struct.pack("<?2q", False, 2, 2) + bytes(16),
) -> bytes:
    """A native fastText model of two words; whole if nothing is given."""
    head = struct.pack("<12id", dims, 5, 5, 1, 5, 1, 2, 2, bucket, *parts, 100, 1e-4)
    vocabulary = struct.pack("<3i2q", *counts, 9, -1)
    entries = b"".join(word + b"\0" + struct.pack("<qb", 1, 0) for word in words)
    matrix = struct.pack("<?2q10f", quantised, *shape, *range(10))
    return magic + head + vocabulary + entries + matrix + end


def npy(
    header: str = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}",
    version: tuple[int, int] = (1, 0),
    length: int | None = None,
    numbers: bytes = struct.pack("<6f", *range(6)),
) -> bytes:
    """A .npy file of three vectors; whole if nothing is given."""
    size = len(header.encode()) if length is None else length
    kind = "<H" if version == (1, 0) else "<I"
    return b"\x93NUMPY" + bytes(version) + struct.pack(kind, size) + header.encode() + numbers


def head(descr: str = "'<f4'", order: str = "False", shape: str = "(3, 2)") -> str:
    """The header of a .npy file."""
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}"


A, B = record(b"a", 1, 2), record(b"b", 3, 4)
TRUNCATED = ": it is truncated, or not a native fastText model. Fetch it again"
NO_MODEL = " is not a native fastText model: "

# fmt: off
NO_NUMBERS = [b"x", b"1_0", b"infinity", b"--1", b"1e", b"0x10", b"1,000", b"\xff", b"None"]

GLOVE = [
    ("nothing in it", b"", "holds no vector: check that it is the right file"),
    ("empty lines alone", b"\n \n\r\n", "holds no vector"),
    ("words alone", b"a\nb\n",
     "line 1: expected a word and 0 numbers, each after one space, found 0 values after 'a'"),
    ("no text", b"\0\1\2\xff" * 9, "line 1: expected a word and 0 numbers"),
    ("an HTML page", b"<!DOCTYPE html>\n<html lang=en>\n",
     "line 1: expected a word and 1 numbers, each after one space, found 'html>' as number 1 "
     "of '<!DOCTYPE'"),
    ("a value too few", b"a 1 2\n\nb 1\n",
     "line 3: expected a word and 2 numbers, each after one space, found 1 values after 'b'"),
    ("a value too many", b"a 1 2\nb 1 2 3\n", "found 3 values after 'b'"),
    ("no word", b"a 1 2\n 1 2\n", "line 2: expected a word and 2 numbers"),
    ("two spaces between numbers", b"a 1 2\nb 1  2\n", "line 2: expected a word and 2 numbers"),
    ("a tab after the word", b"a 1 2\nthe\t0.1 0.2\n", "found a tab in 'the\\t0.1 0.2'"),
    ("a tab between numbers", b"a 1 2\nb 1\t2\n", "line 2: expected a word and 2 numbers"),
    ("a header, which GloVe has not", b"2 2\na 1 2\nb 3 4\n", "line 2: expected a word and 1"),
    ("a word of more than 4096 bytes", b"a 1 2\n" + b"b" * 5000 + b" 1 2\n", "line 2: expected"),
    ("20 MB without an end of line after a line", b"a 1 2\n" + b"b" * (20 << 20),
     "line 2: no end of line within 4,194,304 bytes"),
    ("more than 100,000 numbers", b"a" + b" 1" * 100_001 + b"\n", "line 1: expected a word and"),
    *((f"{field!r} for a number", b"a 1 2\nb 1 2\nc 1 %b\n" % field,
       f"found {field.decode('utf-8', 'replace')!r} as number 2 of 'c'") for field in NO_NUMBERS),
    ("no number in line 5,001 of 10,000",
     b"".join(b"w%d 0.1 -2e-5\n" % i for i in range(5000)) + b"cat 0.1 1_0\n" + b"dog 1 2\n" * 5000,
     "line 5001: expected a word and 2 numbers, each after one space, found '1_0' as number 2 "
     "of 'cat'"),
]

WORD2VEC_TEXT = [
    ("nothing in it", b"", HEADER + "''"),
    ("no vectors, as promised", b"0 2\n", "holds no vector: check that it is the right file"),
    ("no header", b"a 1 2\nb 1 2\n",
     HEADER + "'a 1 2'. A text file without that line is glove-text"),
    ("no dims", b"2 0\na\nb\n", HEADER + "'2 0'"),
    ("a count with underscores", b"1_0 2\n" + b"a 1 2\n" * 10, HEADER + "'1_0 2'"),
    ("a count of 5,000 digits", b"9" * 5000 + b" 2\na 1 2\n", HEADER + f"{'9' * 40!r}..."),
    ("dims of a billion", b"1 1000000000\na 1 2\n", HEADER + "'1 1000000000'"),
    ("a vector less than promised", b"3 2\na 1 2\nb 3 4\n",
     "ends after 2 of the 3 vectors that its first line promises: it is truncated. Fetch it "
     "again; if it is meant to be so, write the right count into its first line"),
    ("a vector more than promised", b"1 2\na 1 2\nb 3 4\n",
     "holds more than the 1 vectors that its first line promises"),
    ("longer vectors than promised", b"1 2\na 1 2 3\n", "line 2: expected a word and 2 numbers"),
    ("binary vectors", b"2 2\n" + A + B, "line 2: expected a word and 2 numbers"),
]

WORD2VEC_BINARY = [
    ("nothing in it", b"", HEADER + "''"),
    ("text", b"a 1 2\nb 3 4\n", HEADER + "'a 1 2'"),
    ("dims of a billion", b"1 1000000000\n" + A, HEADER),
    ("a vector less than promised", b"3 2\n" + A + B, "ends after 2 of the 3 vectors"),
    ("a vector more than promised", b"1 2\n" + A + B,
     "holds more than the 1 vectors that its first line promises"),
    ("cut within a vector", b"2 2\n" + A + B[:-2],
     "ends within vector 2 of the 2 that its first line promises: it is truncated. Fetch it "
     "again"),
    ("fewer dims than there are", b"2 1\n" + A + B, "vector"),
    ("20 MB without a first line", b"a" * (20 << 20), HEADER),
    ("zeros after the header", b"9 2\n" + bytes(20 << 20), "no word where vector 1 should begin"),
]

FASTTEXT_BIN = [
    ("nothing in it", b"", NO_MODEL + "it has 0 bytes"),
    ("text", b"cat 0.1 0.2\n" * 20, NO_MODEL + "it does not begin"),
    ("dims of a billion", fasttext(dims=10**9), NO_MODEL + "1000000000 dims"),
    ("parts without buckets", fasttext(bucket=0), NO_MODEL + "parts of 3 to 6 letters in 0 bucke"),
    ("no words", fasttext(counts=(0, 0, 0)), NO_MODEL + "0 words in a vocabulary of 0"),
    ("a classifier", fasttext(counts=(2, 1, 1)), " is a fastText model that is a classifier, "
     "without vectors to compare. Use the .vec file of the same model, with the format "
     "fasttext-vec"),
    ("quantised", fasttext(quantised=True), " is a fastText model that is quantised"),
    ("a word of 5,000 bytes", fasttext(words=(b"cat", b"x" * 5000)), NO_MODEL + "word 2 has no end "
     "within 4,096 bytes"),
    ("two billion words", fasttext(counts=(2**31 - 1, 2**31 - 1, 0)), "vocabulary" + TRUNCATED),
    ("a matrix of 2^120 numbers", fasttext(shape=(2**60, 2**60)), NO_MODEL + "its matrix is 1,1"),
    ("something after the end", fasttext() + b"x", NO_MODEL + "1 bytes follow its last matrix"),
    ("cut within a word", fasttext()[:94], "ends within its vocabulary" + TRUNCATED),
    ("cut within the matrix", fasttext()[:160], "ends within its matrix" + TRUNCATED),
]

WORDS = b"cat\ndog\nsun\n"
NO_NPY = " is not a .npy file: "
NO_MATRIX = ": expected a matrix of floats (words, dims) with at most "
NPY = [
    ("nothing in it", b"", NO_NPY),
    ("text", b"cat 1 2\n", NO_NPY),
    ("an .npz file", b"PK\x03\x04" + bytes(300), " is a zip archive"),
    ("a version that does not exist", npy(version=(9, 0)), NO_NPY),
    ("cut within the header", npy()[:40], NO_NPY),
    ("a header of four billion bytes", npy(version=(2, 0), length=2**32 - 1), NO_NPY),
    ("a header that is code", npy("__import__('os').abort()"), NO_NPY),
    ("a header of thousands of brackets", npy("(" * 9000), NO_NPY),
    ("a header of thousands of digits", npy(head(shape=f"({'9' * 6000}, 2)")), NO_NPY),
    ("a type that does not exist", npy(head("'<q9'")), NO_NPY),
    ("objects", npy(head("'|O'")), NO_NPY),
    ("integers", npy(head("'<i4'")), NO_MATRIX + "100,000 dims, found (3, 2) of int32"),
    ("one dimension", npy(head(shape="(6,)")), NO_MATRIX + "100,000 dims, found (6,) of float32"),
    ("a negative length", npy(head(shape="(3, -2)")), NO_NPY),
    ("a trillion rows", npy(head(shape="(1000000000000, 2)")), NO_NPY),
    ("a word less than rows", npy(), "has 2 words", b"cat\ndog\n"),
    ("words in latin-1", npy(), "words.txt, line 2: not UTF-8 (byte 0xe9): save it as "
     "UTF-8", b"cat\ncaf\xe9\nsun\n"),
    ("an empty line among the words", npy(), "words.txt, line 2: expected a word", b"cat\n\nsun\n"),
    ("a word of 5,000 letters", npy(), "line 1: expected a word, found xxx", b"x" * 5000),
    ("a value too few", npy()[:-4], NO_NPY),
]

NO_GENSIM = " is not a readable file of KeyedVectors: "
GENSIM = [
    ("text", b"cat 1 2\n" * 50, NO_GENSIM),
    ("a dictionary", pickle.dumps({"cat": 1}), NO_GENSIM + "it holds a dict, not KeyedVectors"),
    ("a cut pickle", pickle.dumps({"cat": [1, 2]})[:-4], NO_GENSIM),
    ("code", b"cposix\nsystem\n(S'exit 1'\ntR.", NO_GENSIM),
]

CASES = [
    (vector_format, *case, *((WORDS,) if vector_format == "npy" else (None,))[len(case) - 3:])
    for vector_format, cases in (
        ("glove-text", GLOVE),
        ("word2vec-text", WORD2VEC_TEXT),
        ("word2vec-binary", WORD2VEC_BINARY),
        ("fasttext-bin", FASTTEXT_BIN),
        ("npy", NPY),
        ("gensim", GENSIM),
    )
    for case in cases
]
