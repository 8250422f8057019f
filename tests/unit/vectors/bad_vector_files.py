"""Files of vectors with a fault: what is wrong, contents, what the error must say; a line each.

A file of words stands after that for the format npy, if it is not WORDS.
"""

from __future__ import annotations

import pickle
import re
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
NO_NUMBERS = [
    b"x", b"1_0", b"1__0", b"infinity", b"-Infinity", b"nano", b"nan(1)", b"in", b".", b"-", b"+",
    b"-.", b"--1", b"+-1", b"1-", b"1.2.3", b"1e", b"e5", b"1e5.2", b"1e5e5", b"1e-", b"1e+-5",
    b"0x10", b"0x1p3", b"1f", b"1L", b"1j", b"1,000", b"1'000", b"$1", b"1%", b"\x00", b"1\x00",
    b"\xff", b"1\xff", b"1\x0b", b"None", b"null", b"True", b"#NUM!", b"1" * 30 + b"x",
    "\N{FULLWIDTH DIGIT ONE}".encode(), "\N{ARABIC-INDIC DIGIT THREE}".encode(),
    "1\N{NO-BREAK SPACE}".encode(), "\N{MINUS SIGN}1".encode(),
]

# Twenty lines of a word and two numbers of four decimals.
LINES = b"".join(b"w%d 0.1234 -2.1234\n" % i for i in range(20))
ODD_COLUMNS = [
    ("ids between words and numbers", re.sub(rb"w(\d+)", rb"w\1 \1", LINES),
     "line 1: expected a word and 3 numbers of a vector, found 0 as number 1, 1 in the next line "
     "and so on, whole numbers where all others have decimals: ids or counts are no dimension. "
     "Remove that column"),
    ("counts after the numbers", re.sub(rb"w(\d+)(.*)", rb"w\1\2 90\1", LINES),
     "line 1: expected a word and 3 numbers of a vector, found 900 as number 3, 901 in the next"),
    ("ids in front of the words", re.sub(rb"w(\d+)", rb"\1 w\1", LINES),
     "line 1: expected a word and 3 numbers, each after one space, found 'w0' as number 1 of '0'"),
    ("ids in the place of words", LINES.replace(b"w", b""),
     "line 1: expected words, found 0, 1, ... before the numbers of a vector. Write the words"),
]

GLOVE = [
    ("nothing in it", b"", "holds no vector: check that it is the right file"),
    ("empty lines alone", b"\n \n\r\n", "holds no vector"),
    ("words alone", b"a\nb\n",
     "line 1: expected a word and 0 numbers, each after one space, found 0 values after 'a'"),
    ("no text", b"\0\1\2\xff" * 9, "line 1: expected a word and 0 numbers"),
    ("an HTML page", b"<!DOCTYPE html>\n<html lang=en>\n",
     "line 1: expected a word and 1 numbers, each after one space, found 'html>' as number 1 "
     "of '<!DOCTYPE'"),
    ("JSON", b'{"a": [1, 2]}\n', 'found \'[1,\' as number 1 of \'{"a":\''),
    ("UTF-16", "a 1 2\nb 3 4\n".encode("utf-16"), "line 1: expected a word and 2 numbers"),
    ("lines of an old Macintosh", b"a 1 2\rb 3 4\r",
     "line 1: expected a word and 4 numbers, each after one space, found '2\\rb' as number 2 "
     "of 'a'"),
    ("a value too few", b"a 1 2\n\nb 1\n",
     "line 3: expected a word and 2 numbers, each after one space, found 1 values after 'b'"),
    ("a value too many", b"a 1 2\nb 1 2 3\n",
     "line 2: expected a word and 2 numbers, each after one space, found 3 values after 'b'"),
    ("cut within the last line", b"a 1.5 2.5\nb 1.5", "line 2: expected a word and 2 numbers"),
    ("no word", b"a 1 2\n 1 2\n",
     "line 2: expected a word and 2 numbers, each after one space, found no word before '1 2'"),
    ("no word in the first line", b" 1 2\na 1 2\n", "line 1: expected a word and 2 numbers"),
    ("a space before the word", b"a 1 2\n b 1 2\n", "found no word before 'b 1 2'"),
    ("two spaces after the word", b"a 1 2\nb  1 2\n", "line 2: expected a word and 2 numbers"),
    ("two spaces between numbers", b"a 1 2\nb 1  2\n", "line 2: expected a word and 2 numbers"),
    ("two spaces in the first line", b"a 1  2\nb 1 2\n", "line 1: expected a word and 3 numbers"),
    ("a tab after the word", b"a 1 2\nthe\t0.1 0.2\n",
     "line 2: expected a word and 2 numbers, each after one space, found a tab in 'the\\t0.1 "
     "0.2': write spaces"),
    ("a tab after every word", b"the\t0.1 0.2\nof\t0.3 0.4\n",
     "line 1: expected a word and 1 numbers, each after one space, found a tab in 'the\\t0.1 "
     "0.2': write spaces"),
    ("tabs alone", b"the\t0.1\t0.2\n", "found a tab in 'the\\t0.1\\t0.2': write spaces"),
    ("a tab between numbers", b"a 1 2\nb 1\t2\n",
     "line 2: expected a word and 2 numbers, each after one space, found a tab"),
    ("a tab at the end", b"a 1 2\nb 1 2\t\n", "line 2: expected a word and 2 numbers"),
    ("semicolons", b"a;1;2\nb;3;4\n", "found 0 values after 'a;1;2'"),
    ("commas", b"a,1,2\nb,3,4\n", "found 0 values after 'a,1,2'"),
    ("decimal commas", b"a 1,5 2,5\n", "found '1,5' as number 1 of 'a'"),
    ("a header, which GloVe has not", b"2 2\na 1 2\nb 3 4\n",
     "line 2: expected a word and 1 numbers, each after one space, found 2 values after 'a'. "
     "If line 1 is a header 'COUNT DIMS', the format is word2vec-text"),
    ("a word of more than 4096 bytes", b"a 1 2\n" + b"b" * 5000 + b" 1 2\n",
     "line 2: expected a word and 2 numbers, each after one space, found a word of 5,000 "
     "bytes, more than 4,096"),
    ("20 MB without an end of line", b"a 0.25 -1" * 2_300_000,
     "line 1: no end of line within 4,194,304 bytes; this is no text file of vectors"),
    ("20 MB of zeros", bytes(20 << 20), "line 1: no end of line within 4,194,304 bytes"),
    ("20 MB without an end of line after a line", b"a 1 2\n" + b"b" * (20 << 20),
     "line 2: no end of line within 4,194,304 bytes"),
    ("more than 100,000 numbers", b"a" + b" 1" * 100_001 + b"\n",
     "line 1: expected a word and 100001 numbers, each after one space, found 100,001 values, "
     "more than 100,000"),
    *((f"{field!r} for a number", b"a 1 2\nb 1 2\nc 1 %b\n" % field,
       f"line 3: expected a word and 2 numbers, each after one space, found "
       f"{field.decode('utf-8', 'replace')!r} as number 2 of 'c'") for field in NO_NUMBERS),
    ("no number in line 5,001 of 10,000",
     b"".join(b"w%d 0.1 -2e-5\n" % i for i in range(5000)) + b"cat 0.1 1_0\n" + b"dog 1 2\n" * 5000,
     "line 5001: expected a word and 2 numbers, each after one space, found '1_0' as number 2 "
     "of 'cat'"),
    *ODD_COLUMNS,
    ("cut within the last number", LINES + b"z 0.1234 0.12",
     "line 21: expected at least 4 digits after the '.' of each number, as all others have, found "
     "the end of the file after '0.12': it is truncated. Fetch it again, or end its last line if "
     "it is whole"),
    ("cut after a point", LINES + b"z 0.1234 -0.", "after '-0.': it is truncated"),
    ("cut within an exponent", LINES.replace(b"4\n", b"4e-05\n") + b"z 0.1234 0.1234e-0",
     "line 21: expected at least 2 digits after the 'e' of each number"),
    ("cut in the only line", b"z" + b" 0.1234" * 20 + b" 0.1", "line 1: expected at least 4 "
     "digits"),
    ("two words of latin-1 that UTF-8 has not", LINES + b"caf\xe9 1 2\ncaf\xe8 1 2\n",
     "vector 22: expected words in UTF-8, found b'caf\\xe8', which would equal "
     "b'caf\\xe9' before it. Write the file in UTF-8; perhaps it is in latin-1"),
]

WORD2VEC_TEXT = [
    ("nothing in it", b"", HEADER + "''"),
    ("no vectors", b"2 2\n", "ends after 0 of the 2 vectors"),
    ("no vectors, as promised", b"0 2\n", "holds no vector: check that it is the right file"),
    ("no header", b"a 1 2\nb 1 2\n",
     HEADER + "'a 1 2'. A text file without that line is glove-text"),
    ("a header of one number", b"2\na 1 2\n", HEADER + "'2'"),
    ("a header of three numbers", b"2 2 2\na 1 2\n", HEADER + "'2 2 2'"),
    ("no dims", b"2 0\na\nb\n", HEADER + "'2 0'"),
    ("a negative count", b"-2 2\na 1 2\nb 1 2\n", HEADER + "'-2 2'"),
    ("a count that is no integer", b"2.0 2\na 1 2\nb 1 2\n", HEADER + "'2.0 2'"),
    ("a count with underscores", b"1_0 2\n" + b"a 1 2\n" * 10, HEADER + "'1_0 2'"),
    ("digits of another script", "\N{FULLWIDTH DIGIT TWO} 2\na 1 2\n".encode(), HEADER),
    ("a count of 5,000 digits", b"9" * 5000 + b" 2\na 1 2\n", HEADER + f"{'9' * 40!r}..."),
    ("dims of 5,000 digits", b"2 " + b"9" * 5000 + b"\na 1 2\n", HEADER),
    ("dims of a billion", b"1 1000000000\na 1 2\n", HEADER + "'1 1000000000'"),
    ("a vector less than promised", b"3 2\na 1 2\nb 3 4\n",
     "ends after 2 of the 3 vectors that its first line promises: it is truncated. Fetch it "
     "again; if it is meant to be so, write the right count into its first line"),
    ("a quintillion promised", b"1000000000000000000 2\na 1 2\nb 3 4\n",
     "ends after 2 of the 1,000,000,000,000,000,000 vectors"),
    ("a vector more than promised", b"1 2\na 1 2\nb 3 4\n",
     "holds more than the 1 vectors that its first line promises"),
    ("vectors although none is promised", b"0 2\na 1 2\n", "holds more than the 0 vectors"),
    ("cut at the end of a line", b"1000 2\n" + b"a 1 2\n" * 500, "ends after 500 of the 1,000"),
    ("cut within a line", b"2 2\na 1 2\nb 1", "line 3: expected a word and 2 numbers"),
    ("longer vectors than promised", b"1 2\na 1 2 3\n", "line 2: expected a word and 2 numbers"),
    ("shorter vectors than promised", b"1 3\na 1 2\n", "line 2: expected a word and 3 numbers"),
    ("a tab in the place of a space", b"1 2\na\t1 2\n", "line 2: expected a word and 2 numbers"),
    ("an underscore in a number", b"1 2\na 1_0 2\n",
     "line 2: expected a word and 2 numbers, each after one space, found '1_0' as number 1 of "
     "'a'"),
    ("binary vectors", b"2 2\n" + A + B, "line 2: expected a word and 2 numbers"),
    ("ids between words and numbers", b"20 3\n" + ODD_COLUMNS[0][1], "line 2: expected a word and "
     "3 numbers of a vector, found 0 as number 1"),
    ("cut within the last number", b"21 2\n" + LINES + b"z 0.1234 0.12",
     "line 22: expected at least 4 digits after the '.'"),
]

WORD2VEC_BINARY = [
    ("nothing in it", b"", HEADER + "''"),
    ("no vectors", b"0 2\n", "holds no vector: check that it is the right file"),
    ("no header", A + B, HEADER),
    ("text", b"a 1 2\nb 3 4\n", HEADER + "'a 1 2'"),
    ("a count of 5,000 digits", b"9" * 5000 + b" 2\n" + A, HEADER),
    ("dims of a billion", b"1 1000000000\n" + A, HEADER),
    ("no dims", b"1 0\n" + A, HEADER + "'1 0'"),
    ("a vector less than promised", b"3 2\n" + A + B, "ends after 2 of the 3 vectors"),
    ("a vector more than promised", b"1 2\n" + A + B,
     "holds more than the 1 vectors that its first line promises"),
    ("cut within a vector", b"2 2\n" + A + B[:-2],
     "ends within vector 2 of the 2 that its first line promises: it is truncated. Fetch it "
     "again"),
    ("cut within a word", b"2 2\n" + A + b"bcd", "ends within vector 2 of the 2"),
    ("vectors of float64",
     b"2 2\n" + b"".join(w + struct.pack("<2d", 0.1, 0.2) for w in (b"a ", b"b ")),
     "vector"),
    ("more dims than there are", b"2 3\n" + A + B, "ends within vector 2 of the 2"),
    ("fewer dims than there are", b"2 1\n" + A + B, "vector"),
    ("text after the header", b"2 2\na 1 2\nb 3 4\n", "vector 1: expected a word and 2 "
     "little-endian numbers of float32, found text. If the numbers of all words are text, the "
     "format is word2vec-text"),
    ("text of long vectors", b"20 50\n" + b"".join(b"w%d" % i + b" 0.25" * 50 + b"\n"
     for i in range(20)), "vector 1: expected a word and 50 little-endian numbers of float32, "
     "found text"),
    ("big-endian numbers", b"9 50\n" + b"".join(b"w%d " % i + struct.pack(">50f", *(n / 7 for n in
     range(-25, 25))) for i in range(9)), "vector 1: expected a word and 50 little-endian numbers "
     "of float32, found big-endian ones. Write the vectors little-endian"),
    ("numbers of float16", b"9 50\n" + b"".join(b"w%d " % i + bytes(range(11, 211))
     for i in range(9)), "found numbers too large or too small for vectors"),
    ("two words of latin-1 that UTF-8 has not",
     b"2 2\n" + record(b"caf\xe9", 1, 2) + record(b"caf\xe8", 3, 4),
     "vector 2: expected words in UTF-8, found b'caf\\xe8'"),
    ("20 MB without a first line", b"a" * (20 << 20), HEADER),
    ("zeros after the header", b"9 2\n" + bytes(20 << 20), "no word where vector 1 should begin"),
    ("no word within 4096 bytes", b"1 2\n" + b"a" * 9000,
     "no word where vector 1 should begin; the file does not hold vectors of 2 values"),
    ("something after the last vector", b"1 2\n" + A + b"\nabc", "ends within vector 2 of the 1"),
]

FASTTEXT_BIN = [
    ("nothing in it", b"", NO_MODEL + "it has 0 bytes"),
    ("text", b"cat 0.1 0.2\n" * 20, NO_MODEL + "544498019 dims"),
    ("zeros", bytes(10_000), NO_MODEL + "0 dims"),
    ("dims of a billion", fasttext(dims=10**9), NO_MODEL + "1000000000 dims"),
    ("negative dims", fasttext(dims=-2), NO_MODEL + "-2 dims"),
    ("negative buckets", fasttext(bucket=-1), NO_MODEL + "2 dims, -1 buckets"),
    ("parts without buckets", fasttext(bucket=0), NO_MODEL + "parts of 3 to 6 letters in 0 bucke"),
    ("parts of 1000 letters", fasttext(parts=(3, 1000)), NO_MODEL + "parts of 3 to 1000 letters"),
    ("parts of -1 letters", fasttext(parts=(3, -1)), NO_MODEL + "parts of 3 to -1 letters"),
    ("no words", fasttext(counts=(0, 0, 0)), NO_MODEL + "0 words in a vocabulary of 0"),
    ("less than no words", fasttext(counts=(-1, -1, 0)), NO_MODEL + "-1 words in a vocabulary"),
    ("counts that differ", fasttext(counts=(3, 2, 0)), NO_MODEL + "2 words in a vocabulary of 3"),
    ("a classifier", fasttext(counts=(2, 1, 1)), " is a fastText model that is a classifier, "
     "without vectors to compare. Use the .vec file of the same model, with the format "
     "fasttext-vec"),
    ("quantised", fasttext(quantised=True), " is a fastText model that is quantised"),
    ("a word twice", fasttext(words=(b"cat", b"cat")), NO_MODEL + "1 words are repeated in"),
    ("a word of 5,000 bytes", fasttext(words=(b"cat", b"x" * 5000)), NO_MODEL + "word 2 has no end "
     "within 4,096 bytes"),
    ("two billion words", fasttext(counts=(2**31 - 1, 2**31 - 1, 0)), "vocabulary" + TRUNCATED),
    ("fewer rows than words and buckets", fasttext(shape=(4, 2)), NO_MODEL + "its matrix is 4 x 2 "
     "instead of 5 x 2"),
    ("a matrix of other dims", fasttext(shape=(5, 4)), NO_MODEL + "its matrix is 5 x 4 instead of"),
    ("a matrix of 2^120 numbers", fasttext(shape=(2**60, 2**60)), NO_MODEL + "its matrix is 1,1"),
    ("a negative second matrix", fasttext(end=struct.pack("<?2q", 0, -1, 2)), NO_MODEL + "its sec"),
    ("something after the end", fasttext() + b"x", NO_MODEL + "1 bytes follow its last matrix"),
    ("cut within the head", fasttext()[:64], "ends within its vocabulary" + TRUNCATED),
    ("cut within a word", fasttext()[:94], "ends within its vocabulary" + TRUNCATED),
    ("cut before the count of a word", fasttext()[:98], "ends within its vocabulary" + TRUNCATED),
    ("cut after the vocabulary", fasttext()[:118], "ends within its matrix" + TRUNCATED),
    ("cut within the matrix", fasttext()[:160], "ends within its matrix" + TRUNCATED),
    ("cut after the matrix", fasttext()[:-33], "ends within its second matrix" + TRUNCATED),
    ("cut within the second matrix", fasttext()[:-1], "ends within its second matrix" + TRUNCATED),
    ("a cut version without magic number", fasttext(magic=b"")[:90], "ends within its vocabulary"),
]

WORDS = b"cat\ndog\nsun\n"
NO_NPY = " is not a .npy file: "
NO_MATRIX = ": expected a matrix of floats (words, dims) with at most "
NPY = [
    ("nothing in it", b"", NO_NPY),
    ("text", b"cat 1 2\n", NO_NPY),
    ("an .npz file", b"PK\x03\x04" + bytes(300), " is a zip archive"),
    ("a pickle", b"\x80\x04\x95" + bytes(300), NO_NPY),
    ("a version that does not exist", npy(version=(9, 0)), NO_NPY),
    ("cut within the magic bytes", npy()[:5], NO_NPY),
    ("cut within the length of the header", npy()[:9], NO_NPY),
    ("cut within the header", npy()[:40], NO_NPY),
    ("a header longer than the file", npy(length=60_000), NO_NPY),
    ("a header of four billion bytes", npy(version=(2, 0), length=2**32 - 1), NO_NPY),
    ("an empty header", npy(""), NO_NPY),
    ("a header that is no Python", npy("{'descr': "), NO_NPY),
    ("a header that is code", npy("__import__('os').abort()"), NO_NPY),
    ("a header of thousands of brackets", npy("(" * 9000), NO_NPY),
    ("a header of thousands of digits", npy(head(shape=f"({'9' * 6000}, 2)")), NO_NPY),
    ("a header that is a list", npy("[1, 2]"), NO_NPY),
    ("a header without shape", npy("{'descr': '<f4', 'fortran_order': False}"), NO_NPY),
    ("a header with a key too many", npy(head()[:-1] + ", 'x': 1}"), NO_NPY),
    ("a header with zero bytes", npy("\0" * 80), NO_NPY),
    ("an order that is no truth value", npy(head(order="'C'")), NO_NPY),
    ("a type that does not exist", npy(head("'<q9'")), NO_NPY),
    ("a type that is a number", npy(head("4")), NO_NPY),
    ("no type", npy(head("None")), NO_NPY),
    ("objects", npy(head("'|O'")), NO_MATRIX + "100,000 dims, found (3, 2) of object"),
    ("integers", npy(head("'<i4'")), NO_MATRIX + "100,000 dims, found (3, 2) of int32"),
    ("complex numbers", npy(head("'<c8'")), NO_MATRIX),
    ("strings", npy(head("'<U4'")), NO_MATRIX),
    ("truth values", npy(head("'|b1'")), NO_MATRIX),
    ("records", npy(head("[('a', '<f4'), ('b', '<f4')]")), NO_MATRIX),
    ("one dimension", npy(head(shape="(6,)")), NO_MATRIX + "100,000 dims, found (6,) of float32"),
    ("three dimensions", npy(head(shape="(3, 2, 1)")), NO_MATRIX),
    ("no dimension", npy(head(shape="()")), NO_MATRIX),
    ("no rows", npy(head(shape="(0, 2)")), NO_MATRIX),
    ("no columns", npy(head(shape="(3, 0)"), numbers=b""), NO_MATRIX),
    ("a negative length", npy(head(shape="(3, -2)")), NO_MATRIX),
    ("a truth value for a length", npy(head(shape="(3, True)")), NO_MATRIX),
    ("a length that is no integer", npy(head(shape="(3, 2.0)")), NO_NPY),
    ("dims of a billion", npy(head(shape="(3, 1000000000)")), NO_MATRIX),
    ("a trillion rows", npy(head(shape="(1000000000000, 2)")), "has 1,000,000,000,000 rows, "),
    ("a word less than rows", npy(), "has 2 words", b"cat\ndog\n"),
    ("a word more than rows", npy(), "has 4 words", WORDS + b"ice\n"),
    ("no words", npy(), "has 0 words", b""),
    ("words in latin-1", npy(), "words.txt, line 2: not UTF-8 (byte 0xe9): save it as "
     "UTF-8", b"cat\ncaf\xe9\nsun\n"),
    ("words in UTF-16", npy(), "line 1: not UTF-8 (byte 0xff)", WORDS.decode().encode(
     "utf-16")),
    ("an empty line among the words", npy(), "words.txt, line 2: expected a word", b"cat\n\nsun\n"),
    ("words on one line", npy(), "has 1 words", b"cat dog sun\n"),
    ("lines of an old Macintosh", npy(), "has 1 words", b"cat\rdog\rsun\r"),
    ("a word of 5,000 letters", npy(), "line 1: expected a word of at most 4,096", b"x" * 5000),
    ("a value too few", npy()[:-4], "ends 4 bytes before the end of its 3 x 2 numbers: it is"),
    ("cut within a value", npy()[:-1], "ends 1 bytes before the end of its 3 x 2 numbers"),
    ("no values", npy(numbers=b""), "ends 24 bytes before the end of its 3 x 2 numbers"),
    ("something after the end", npy() + b"x", "goes on after 3 x 2 numbers"),
    ("two arrays in one file", npy() * 2, "goes on after 3 x 2 numbers"),
    ("a value too few, in Fortran order", npy(head(order="True"))[:-4], "ends 4 bytes before the"),
    ("something after the end, in Fortran order", npy(head(order="True")) + b"x", "goes on after"),
]

NO_GENSIM = " is not a readable file of KeyedVectors: "
GENSIM = [
    ("nothing in it", b"", NO_GENSIM),
    ("text", b"cat 1 2\n" * 50, NO_GENSIM),
    ("word2vec's binary format", b"2 2\n" + A + B, NO_GENSIM),
    ("zeros", bytes(10_000), NO_GENSIM),
    ("a dictionary", pickle.dumps({"cat": 1}), NO_GENSIM + "it holds a dict, not KeyedVectors"),
    ("a list", pickle.dumps([1, 2]), NO_GENSIM + "it holds a list, not KeyedVectors"),
    ("a cut pickle", pickle.dumps({"cat": [1, 2]})[:-4], NO_GENSIM),
    ("code", b"cposix\nsystem\n(S'exit 1'\ntR.", NO_GENSIM),
]

CASES = [
    (vector_format, *case, *((WORDS,) if vector_format == "npy" else (None,))[len(case) - 3:])
    for vector_format, cases in (
        ("glove-text", GLOVE),
        ("word2vec-text", WORD2VEC_TEXT),
        ("fasttext-vec", WORD2VEC_TEXT),
        ("word2vec-binary", WORD2VEC_BINARY),
        ("fasttext-bin", FASTTEXT_BIN),
        ("npy", NPY),
        ("gensim", GENSIM),
    )
    for case in cases
]
