"""Formulas between dollars as MathML, which browsers show without extra fonts or scripts."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

# $x$ within a line, without a space next to the dollars, as on GitHub: "5 $ and 6 $" is money.
INLINE = r"(?<![\\$\w])\$(?!\s)([^$\n]+?)(?<!\s)\$(?![\w$])"
BLOCK = re.compile(r"^\$\$(.+)\$\$\s*$", re.DOTALL)


def formula(latex: str, display: str) -> str:
    """MathML of a formula in LaTeX; `display` is inline or block."""
    return convert(latex.strip(), display=display)


class MathML(Extension):
    """Markdown with formulas: `$...$` in a line, `$$...$$` as a paragraph."""

    def extendMarkdown(self, md: Markdown) -> None:
        # After code, and before escapes, to which a backslash means something else.
        md.inlinePatterns.register(_Inline(INLINE, md), "mathml", 185)
        md.parser.blockprocessors.register(_Block(md.parser), "mathml", 175)


class _Inline(InlineProcessor):
    def handleMatch(self, match: re.Match[str], data: str) -> tuple[Any, int, int]:
        stashed = self.md.htmlStash.store(formula(match[1], "inline"))
        return stashed, match.start(), match.end()


class _Block(BlockProcessor):
    def test(self, parent: Element, block: str) -> bool:
        return BLOCK.match(block) is not None

    def run(self, parent: Element, blocks: list[str]) -> None:
        (latex,) = BLOCK.match(blocks.pop(0)).groups()
        shown = self.parser.md.htmlStash.store(
            f'<div class="formula">{formula(latex, "block")}</div>'
        )
        paragraph = Element("p")
        paragraph.text = shown
        parent.append(paragraph)
