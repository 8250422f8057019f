"""The page, from its sections: templates filled, everything inside, nothing loaded."""

from __future__ import annotations

import base64
import hashlib
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fairflow.products.report.html_table import number_text, with_thousands
from fairflow.products.report.study_section import StudySection

TEMPLATES = Path(__file__).parent / "templates"
PACKAGES = (
    "gensim",
    "jinja2",
    "matplotlib",
    "numpy",
    "pandas",
    "pyarrow",
    "scikit-learn",
    "scipy",
    "snakemake",
)
LANGUAGE_PACKAGES = ("tokenizers", "torch", "transformers")


def page(run: Mapping[str, Any], sections: Sequence[StudySection], audits: pd.DataFrame) -> str:
    """The whole page as HTML.

    Parameters
    ----------
    run : of `fairflow.planning.run_description.run_description`.
    audits : the vectors of each model, as `fairflow.vectors.audit` measures them.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {
        "separators": (",", ":"),
        "ensure_ascii": False,
        "allow_nan": False,
    }
    environment.filters |= {"number": number_text, "thousands": with_thousands}
    style, script = _asset("report.css"), _asset("sortable_table.js", "score_details.js")
    return environment.get_template("page.html").render(
        run=run,
        language_models=_language_models(run),
        sections=sections,
        audits={record["model"]: record for record in audits.to_dict("records")},
        versions=versions([*PACKAGES, *(LANGUAGE_PACKAGES if _language_models(run) else ())]),
        style=style,
        script=script,
        policy=content_policy(style, script),
    )


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Python and packages with their versions."""
    version_of = {"Python": platform.python_version()}
    for name in packages:
        try:
            version_of[name] = version(name)
        except PackageNotFoundError:
            version_of[name] = "not installed"
    return version_of


def content_policy(style: str, script: str) -> str:
    """A policy by which browsers run this style and script and load nothing from elsewhere."""
    return (
        f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
        f"script-src {_digest(script)}; base-uri 'none'; form-action 'none'"
    )


def _language_models(run: Mapping[str, Any]) -> bool:
    return len(run["audited"]) < len(run["models"])


def _asset(*names: str) -> Markup:
    # Ours, and without '</': the only file contents that go into the page unescaped.
    texts = [(TEMPLATES / name).read_text(encoding="utf-8") for name in names]
    return Markup("\n".join(texts))


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
