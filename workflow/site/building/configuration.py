"""Every key of the configuration: the page that stands beside it."""

from __future__ import annotations

from pathlib import Path


def configuration_page(root: Path) -> dict[str, str]:
    """Path on the site -> text; links to pages of the site are those of the site itself."""
    text = (root / "config/README.md").read_text(encoding="utf-8")
    return {"configuration.md": text.replace("](../workflow/site/pages/", "](")}
