"""A figure becomes a smaller image inside the page that looks the same."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fairflow.products.report.study_section import smaller_svg, svg_image

SVG = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt" viewBox="0 0 72 36"
 xmlns="http://www.w3.org/2000/svg"><metadata>made on a host</metadata>
 <g id="figure_1"><path id="Sans-41" d="M -0.001234 0.5678
L 10.25 3
z" style="opacity: 0.125"/></g>
 <use xlink:href="#Sans-41" transform="translate(12.345678 0) scale(0.015625)"/>
 <path clip-path="url(#clip)" d="M 1e-05 2"/><clipPath id="clip"/>
</svg>"""


def test_what_is_not_drawn_is_left_out_and_what_is_stays():
    small = smaller_svg(SVG)
    assert "host" not in small
    assert "DOCTYPE" not in small
    assert "figure_1" not in small
    assert "opacity: 0.125" in small
    assert "translate(12.35 0) scale(0.015625)" in small
    assert 'd="M0 .57L10.25 3z"' in small


def test_references_still_meet_their_ids():
    root = ElementTree.fromstring(smaller_svg(SVG))
    ids = {node.get("id") for node in root.iter()} - {None}
    text = ElementTree.tostring(root, encoding="unicode")
    assert set(re.findall(r'href="#(\w+)"|url\(#(\w+)\)', text)) == {("i0", ""), ("", "i1")}
    assert ids == {"i0", "i1"}


def test_an_image_has_its_text_and_size_in_css_pixels(tmp_path: Path):
    (tmp_path / "figure.svg").write_text(SVG)
    image = svg_image(tmp_path / "figure.svg")
    assert (image.width, image.height) == (96, 48)
    assert image.text == smaller_svg(SVG)


def test_a_file_without_a_view_box_is_named(tmp_path: Path):
    (tmp_path / "figure.svg").write_text("<svg/>")
    with pytest.raises(ValueError, match=r"figure\.svg: expected an SVG with viewBox"):
        svg_image(tmp_path / "figure.svg")
