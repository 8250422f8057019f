"""A figure's SVG file, made smaller, for a page that holds it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
LEADING_ZERO = re.compile(r"(?<![\d.])0(?=\.\d)")


@dataclass(frozen=True)
class SvgImage:
    """An image: the text of its file, and its size in CSS pixels."""

    text: str
    width: int
    height: int


def svg_image(path: str | Path) -> SvgImage:
    """The SVG file that matplotlib wrote, made smaller.

    It is to be shown as an image, not as elements of the page, where its ids could meet those of
    other figures.

    Raises
    ------
    ValueError : if the file has no viewBox.
    """
    text = smaller_svg(Path(path).read_text(encoding="utf-8"))
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    if box is None:
        raise ValueError(f"{path}: expected an SVG with viewBox='0 0 WIDTH HEIGHT', found none")
    # matplotlib's unit is the point: 72 to the inch, of which CSS has 96 pixels.
    width, height = (round(float(length) * 96 / 72) for length in box.groups())
    return SvgImage(text, width, height)


def smaller_svg(text: str) -> str:
    """Without prolog, metadata, line ends and names of groups; lengths to a hundredth of a unit."""
    text = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\b(d|x|y)="([^"]*)"', _short_path, text)
    text = re.sub(r"translate\([^)]*\)", lambda match: _short_numbers(match[0]), text)
    text = _short_ids(text)
    return re.sub(r">\s+<", "><", re.sub(r"\s+", " ", text)).strip()


def _short_path(match: re.Match[str]) -> str:
    numbers = _short_numbers(" ".join(match[2].split()))
    return f'{match[1]}="{re.sub(r" ?([A-Za-z]) ?", lambda letter: letter[1], numbers)}"'


def _short_numbers(text: str) -> str:
    rounded = LONG_NUMBER.sub(_two_decimals, text)
    return LEADING_ZERO.sub("", rounded)


def _two_decimals(match: re.Match[str]) -> str:
    text = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _short_ids(text: str) -> str:
    """Ids that something refers to as letters and a number; the others left out."""
    used = dict.fromkeys(re.findall(r'(?:href="|url\()#([^")]+)', text))
    short = {name: f"i{number}" for number, name in enumerate(used)}
    text = re.sub(r' id="([^"]*)"', lambda m: f' id="{short[m[1]]}"' if m[1] in short else "", text)
    return re.sub(r'(?:xlink:)?(href="|url\()#([^")]+)', lambda m: f"{m[1]}#{short[m[2]]}", text)
