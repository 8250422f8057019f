"""The notebooks in pages/notebooks as pages, with the outputs that are committed with them."""

from __future__ import annotations

import re
from pathlib import Path

from nbconvert import MarkdownExporter

# What a table of pandas brings that the theme styles itself.
_STYLE = re.compile(r'<style scoped>.*?</style>\s*|(?: border="1")? class="dataframe"', re.DOTALL)


def notebook_pages(root: Path) -> dict[str, str | bytes]:
    """Path on the site -> content of each page and its pictures."""
    pages: dict[str, str | bytes] = {}
    for path in sorted((root / "workflow/site/pages/notebooks").glob("*.ipynb")):
        text, resources = MarkdownExporter().from_filename(str(path))
        title, _, text = text.strip().partition("\n")
        for name, content in resources["outputs"].items():
            pages[f"notebooks/{path.stem}_{name}"] = content
            shown = f"![The figure that the cell above draws]({path.stem}_{name})"
            text = text.replace(f"![png]({name})", shown)
        link = f"[Download this notebook]({path.name})"
        pages[f"notebooks/{path.stem}.md"] = f"{title}\n\n{link}\n{_STYLE.sub('', text)}"
    return pages
