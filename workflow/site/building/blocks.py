"""Markdown blocks that several generated pages use."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import indent


def fenced(language: str, text: str) -> str:
    """A code block; its text may contain shorter fences."""
    return f"````{language}\n{text.strip()}\n````"


def folded(title: str, text: str) -> str:
    """A block that opens when the reader clicks its title."""
    return f'??? note "{title}"\n\n{indent(text, "    ")}'


def sentence_of(root: Path, module: str) -> str:
    """The first sentence of the docstring of a module of the library."""
    path = root / f"scripts/{module.replace('.', '/')}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")
