"""Converted models: their files, and stores of them."""

from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore

FILES = ("vectors", "index.sqlite", "card.json")


def files_in(folder):
    return [folder / name for name in FILES]


def converted(source, vector_format, folder, **options):
    """The store of what a file becomes in a folder."""
    convert(source, vector_format, *files_in(folder), **options)
    return VectorStore(*files_in(folder))


def text_of(rows):
    """Lines of pairs of a word and its vector."""
    return "".join(f"{word} {' '.join(map(repr, map(float, row)))}\n" for word, row in rows)


def store_of(rows, folder):
    """The store of pairs of a word and its vector."""
    folder.mkdir(exist_ok=True)
    (folder / "source").write_text(text_of(rows))
    return converted(folder / "source", "glove-text", folder)
