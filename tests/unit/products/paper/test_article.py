"""The article: every table and figure of the studies, with its caption."""

from fairflow.products.paper.article import article, caption_of


def test_the_article_shows_every_table_and_figure_with_its_caption():
    about = {"pets": {"title": "Cats & dogs", "metrics": ["weat"], "figures": ["coverage"]}}
    text = article(about, {"pets/figures/coverage": ""} | {"pets/coverage": "Share of x_1.\nMore."})
    for shown in (
        r"\section{Cats \& dogs}\suppressfloats[t]",
        r"\input{pets/tables/scores_weat}",
        r"\input{pets/tables/verdicts}",
        r"{pets/figures/coverage}",
        r"\caption{Share of x\_1.}\label{fig:pets-coverage}",
    ):
        assert shown in text
    assert caption_of("One sentence.\n") == "One sentence."
