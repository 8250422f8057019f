"""A short article with every table and figure, as a start for a paper."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairflow.products.paper.latex import escape

PREAMBLE = r"""% Every table and figure. Compile in this folder, three times: pdflatex article.
% Words in another script than Latin need lualatex (Debian: texlive-luatex), a font with their
% letters, and lines as these for Hindi below the class; names of languages are those of babel.
% \usepackage[english,bidi=basic]{babel}
% \babelprovide[import,onchar=ids fonts]{hindi}\babelfont[hindi]{rm}{Noto Serif Devanagari}
\documentclass{article}
\usepackage[margin=2.5cm]{geometry}
\usepackage{array,booktabs,graphicx,longtable}
% Figures keep their size, unless the page is too small for them.
\makeatletter
\newcommand{\figurewidth}{\ifdim\Gin@nat@width>\linewidth\linewidth\else\Gin@nat@width\fi}
\newcommand{\figureheight}{\ifdim\Gin@nat@height>.8\textheight.8\textheight\else\Gin@nat@height\fi}
\makeatother
\begin{document}
"""
TABLES = ("ranks", "published")


def article(studies: Mapping[str, Mapping[str, Any]], captions: Mapping[str, str]) -> str:
    """LaTeX of the article.

    Parameters
    ----------
    studies : study -> title, metrics and figures. descriptions : "study/figure" -> the caption
        on the first line, then the description.
    """
    parts = [PREAMBLE]
    for study, about in studies.items():
        parts.append(rf"\section{{{escape(about['title'])}}}")
        parts += _tables(study, about["metrics"])
        parts += [_figure(study, f, captions[f"{study}/{f}"]) for f in about["figures"]]
        parts.append(r"\clearpage")
    return "\n".join([*parts, r"\end{document}"]) + "\n"


def _tables(study: str, metrics: Sequence[str]) -> Iterator[str]:
    for name in (*(f"scores_{metric}" for metric in metrics), *TABLES):
        yield rf"\input{{{study}/tables/{name}}}"
    # No float may appear between the pages of a long table.
    yield r"\clearpage"


def _figure(study: str, figure: str, caption: str) -> str:
    path = f"{study}/figures/{figure}"
    size = r"width=\figurewidth,height=\figureheight,keepaspectratio"
    return rf"""\begin{{figure}}[tbp]
\centering
\includegraphics[{size}]{{{path}}}
\caption{{{escape(caption)}}}\label{{fig:{study}-{figure}}}
\end{{figure}}"""
