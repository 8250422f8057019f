"""A file without a checksum is believed only if it begins as it should."""

import gzip
import io
import pickle
import struct
import tarfile
import zipfile

import numpy as np
import pytest
from gensim.models import KeyedVectors

from fairflow.errors import DownloadError, FairflowError
from fairflow.vectors.convert import FORMATS
from fairflow.vectors.file_content import HEAD_BYTES, check_uses, vectors_problem

PAGE = b"<!DOCTYPE html>\n<html><body>Sign in</body></html>\n"
COUNTED = b"2 2\ncat 1 2\ndog 3 4\n"
# dims, window, ..., loss, kind, buckets, letters of parts.


def array():
    file = io.BytesIO()
    np.save(file, np.ones((2, 2)))
    return file.getvalue()


SOUND = {
    "glove": ("glove-text", b"cat 1 2\n"),
    "glove with empty lines and a mark": ("glove-text", b"\xef\xbb\xbf\n\r\ncat 1 -2.5e-3\r\n"),
    "glove whose first word looks like markup": ("glove-text", b"<unk> 0.1 0.2\n"),
    "word2vec text": ("word2vec-text", COUNTED),
    "word2vec binary": ("word2vec-binary", b"1 1\ncat " + struct.pack("<f", 1)),
    "fastText text": ("fasttext-vec", b"2 2 \ncat 1 2 \n"),
    "npy": ("npy", array()),
    "spacy": ("spacy", array()),
    "gensim": ("gensim", pickle.dumps(KeyedVectors(2))),
}


@pytest.mark.parametrize(("vector_format", "data"), SOUND.values(), ids=SOUND)
def test_a_file_that_begins_as_its_format_does_is_believed(vector_format, data):
    assert vectors_problem(vector_format, data[:HEAD_BYTES]) is None


@pytest.mark.parametrize(
    "data",
    [b"", PAGE, b'<?xml version="1.0"?><Error/>', b'{"message": "Not Found"}'],
)
def test_no_format_begins_like_this(data):
    for name in FORMATS:
        assert f"is not a file of format {name}" in vectors_problem(name, data)


def packed(kind, data):
    file = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("v.txt", data)
    elif kind == "tar":
        with tarfile.open(fileobj=file, mode="w:gz") as archive:
            entry = tarfile.TarInfo("v.txt")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue() or gzip.compress(data)


GLOVE, MEMBER = {"format": "glove-text"}, {"format": "glove-text", "member": "v.txt"}
FAULTS = {
    # What is wrong: the file, the use, the sentence.
    "page": (PAGE, GLOVE, "file is not a file of .*: it is a web page"),
    "page for gz": (PAGE, GLOVE | {"archive": "gz"}, "file begins with .*; its entry says gz"),
    "page for zip": (PAGE, MEMBER | {"archive": "zip"}, "file begins with .*; its entry says zip"),
    "page for tar": (PAGE, MEMBER | {"archive": "tar"}, "file is not a whole tar archive"),
    "packed page": (packed("gz", PAGE), GLOVE, "file is not a file of .*: it is a web page"),
    "page in zip": (packed("zip", PAGE), MEMBER | {"archive": "zip"}, "v.txt is not a file of"),
    "page in tar": (packed("tar", PAGE), MEMBER | {"archive": "tar"}, "v.txt is not a file of"),
    "other format": (COUNTED, {"format": "npy"}, "of format npy, but of word2vec-text"),
    "cut gz": (packed("gz", COUNTED * 99)[:-9], GLOVE, "file is not a whole gz archive"),
    "other member": (packed("zip", PAGE), MEMBER | {"archive": "zip", "member": "w"}, "no member"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "use", "sentence"), FAULTS.values(), ids=FAULTS)
def test_what_nobody_can_use_is_refused_and_named(tmp_path, data, use, sentence):
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(DownloadError, match=sentence):
        check_uses(path, [use])


@pytest.mark.parametrize("kind", ["gz", "zip", "tar"])
def test_what_one_of_its_users_can_use_is_believed(tmp_path, kind):
    path = tmp_path / "file"
    path.write_bytes(packed(kind, COUNTED))
    use = {"format": "word2vec-text", "archive": kind}
    use |= {"member": "v.txt"} if kind != "gz" else {}
    check_uses(path, [{"format": "npy"}, use])
    check_uses(path, [])
    with pytest.raises(FairflowError):
        check_uses(path, [{"format": "npy"}])
