"""A study of a corpus on the page of the report."""

import pandas as pd
from planted_page import figure, frames, run_of, said_of  # noqa: F401

from fairflow.corpora.claims import IN_TEXTS
from fairflow.products.report.page import page
from fairflow.products.report.study_section import sections
from fairflow.studies.claims.claim import Claim


def test_the_figure_of_a_corpus_is_above_all_folds_and_its_tables_in_one(figure):  # noqa: F811
    run, tables = run_of("mine"), frames()
    (study,) = run["studies"]
    facts = {"where": "In 1790", "embedding": ""}
    here = Claim(IN_TEXTS, "beyond", query="rain", measure="log_odds_ratio", value=1.0, facts=facts)
    of_study = {("mine", name): table for name, table in tables.items()}
    paths = {f"mine/{name}": str(figure) for name in ("subcorpora", "forest_plot")}
    found = sections(run, [said_of(study, tables, here)], of_study, paths)
    text = page(run, found, pd.DataFrame())
    section = text[text.index('<section id="mine"') :]
    parts = ['<p class="answer">1 of 1 associations exceed those of shuffled texts']
    parts += ["<figcaption>Subcorpora", "Figures for print (1)"]
    parts += ['id="mine-tables-of-the-texts">Tables of the texts (3)', 'id="mine-corpus_scores"']
    parts += ['id="mine-corpus_trends"', 'id="mine-tables"']
    places = [section.index(part) for part in parts]
    assert places == sorted(places)
    assert all(section.count(part) == 1 for part in parts)
