"""Word vectors and language models side by side, by one metric."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures._drawing import Sides, behind_sets, sentence_figure, wrapped_query
from fairflow.products.figures._forest import Column, forest_grid
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted, listed

LABEL_WIDTH = 56
# The column of context templates in the table of language models, and what separates them.
TEMPLATES = "context_templates"
SEPARATOR = " | "
STATIC, CONTEXTUAL = "Static vectors", "Contextual models"


class StaticAndContextual(BaseFigure):
    """Draw scores with intervals and bands: word vectors left, language models right.

    Needs the `scores` of `forest_grid` (the first metric is drawn) and `language_models`
    with model. The axis of values is the same on both sides.
    """

    of_study = True

    nothing = "No word vectors next to language models in this study."

    def plot(self) -> Figure:
        rows = self.data()
        groups = {name: in_order(own["model"]) for name, own in rows.groupby("group", sort=False)}
        if set(groups) != {STATIC, CONTEXTUAL}:
            return sentence_figure(self.nothing)
        metric = rows["metric"].iloc[0]
        axis = self.frames.axis_in_lines(metric, 2, self.label(metric))
        columns = [Column(name, metric, groups[name], axis) for name in (STATIC, CONTEXTUAL)]
        tests = dict(rows[["query", "test"]].itertuples(index=False))
        sets = self.frames.sets
        names = {q: wrapped_query(test, LABEL_WIDTH, sets(q)) for q, test in tests.items()}
        notes = [self.in_templates(rows)]
        figure = forest_grid(self.frames, columns, names.__getitem__, "all", notes, 2)
        for axes in figure.axes:
            axes.grid(axis="x")
            axes.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10], min_n_ticks=2))
        return figure

    def data(self) -> pd.DataFrame:
        """Scores of the first metric, with group, context_templates and test.

        The group is `STATIC` or `CONTEXTUAL`; context_templates are the texts in which the
        model was shown words; the test is how a query is called in the figure.
        """
        rows = super().data()
        rows = rows[rows["metric"] == next(iter(self.frames.metrics()), None)]
        columns = ["model", TEMPLATES]
        table = self.frames.language_models.reindex(columns=columns).fillna("")
        templates = dict(table.itertuples(index=False))
        groups = [CONTEXTUAL if model in templates else STATIC for model in rows["model"]]
        acronym = self.label(rows["metric"].iloc[0]).split()[0] if len(rows) else ""
        names = {q: crossed(self.query_label(q), self.frames.sets(q)) for q in rows["query"]}
        tests = [f"{names[query]} ({test_number(query, acronym)})" for query in rows["query"]]
        shown_in = [templates.get(model, "") for model in rows["model"]]
        return rows.assign(group=groups, context_templates=shown_in, test=tests)

    def title(self, rows: pd.DataFrame) -> str:
        return self.around_zero(rows)

    def about(self, rows: pd.DataFrame) -> str:
        metric = rows["label_metric"].iloc[0]
        return (
            f"{metric} of word vectors and language models side by side on "
            f"{counted(rows['query'].nunique(), 'query', 'queries')}, with intervals and bands of "
            "random target words."
        )

    def in_templates(self, rows: pd.DataFrame) -> str:
        """A sentence on the texts that words were shown in, if they were."""
        told = []
        for templates, own in rows[rows[TEMPLATES] != ""].groupby(TEMPLATES, sort=False):
            texts = [f'"{template}"' for template in str(templates).split(SEPARATOR)]
            models = listed(map(self.label, in_order(own["model"])))
            told.append(f"{models}: the mean of a word's vectors in {listed(texts)}.")
        return " ".join(told)


def crossed(label: str, sides: Sides) -> str:
    """'A/B x C/D' of two by two sets, a side of other than two listed; without sets the label."""
    named = ["/".join(names) if len(names) == 2 else listed(names) for names in sides if names]
    return " x ".join(named) + behind_sets(label, sides) if named else label


def test_number(query: str, acronym: str) -> str:
    """'WEAT 1' of 'weat_1', if WEAT is the acronym of the metric; else 'gender 1' of 'gender_1'."""
    return " ".join(acronym if word == acronym.lower() else word for word in query.split("_"))
