"""What the site adds to its Markdown pages: formulas, generated pages and links to the glossary."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from building.api import api_pages
from building.changelog import changelog_page
from building.configuration import configuration_pages
from building.coverage import coverage_pages
from building.differences import difference_pages
from building.gallery import gallery_pages
from building.glossary import terms_of, with_links
from building.links import with_site_links
from building.mathml import MathML
from building.models import model_pages
from building.notebooks import notebook_pages
from building.nulls import null_pages
from building.pictures import pictures
from building.worlds import world_pages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
# What the theme leaves without a name for those who do not see it.
UNNAMED = 'data-md-component="search" role="dialog"'
# Each gives path on the site -> text or bytes.
MADE: tuple[Callable[[Path], dict[str, str | bytes]], ...] = (
    api_pages,
    changelog_page,
    configuration_pages,
    coverage_pages,
    difference_pages,
    gallery_pages,
    model_pages,
    notebook_pages,
    null_pages,
    pictures,
    world_pages,
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.markdown_extensions.append(MathML())
    # A page for addresses that do not exist needs a server, and an address of the site.
    config.theme.static_templates.clear()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for make in MADE:
        for path, content in make(ROOT).items():
            files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return with_site_links(markdown, page.file.src_uri, ROOT)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    glossary = files.get_file_from_path("glossary.md")
    if glossary is None or page.file is glossary:
        return html
    terms = terms_of(glossary.content_string)
    return with_links(html, terms, glossary.url_relative_to(page.file))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    named = output.replace(UNNAMED, f'{UNNAMED} aria-label="Search"')
    # A corner of a table that says nothing heads nothing.
    return named.replace("<th></th>", "<td></td>")
