"""The command in Python: scores as a table that shows and draws itself, and the known queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pandas as pd

from fairflow.command.asked import AskedVectors
from fairflow.command.known_entries import word_queries
from fairflow.command.parser import aligned, as_shown
from fairflow.command.project import project_here
from fairflow.command.scoring import COLUMNS, USUAL_PRESET, Scored, readable_columns, scores
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.references import full_citation
from fairflow.queries.query import Query
from fairflow.scores.variant import Cell
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, as_model

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from matplotlib.figure import Figure

    from fairflow.metrics.base_metric import BaseMetric

    Vectors: TypeAlias = (
        str | Path | WordEmbeddingModel | KeyedVectors | Mapping[str, Sequence[float]]
    )

# What figures read, too.
_DRAWN = ("targets", "attributes", "words")
# Without these columns a table is no longer one of scores.
_SHOWN = {"sets", "model", "metric", "query", "value", "status"}
UNNAMED = "your vectors"


class Scores(pd.DataFrame):
    """Scores of vectors: a DataFrame that shows what a person reads, and draws itself.

    A row is a (sub-)query and a metric. Its columns are those of `fairflow score --format csv`:
    `sets`, `model`, `metric`, `query`, `value`, `ci_low` and `ci_high`, `p_value`, `n_oov` (words
    lost, of `n_words`), `status`, `reason`, ... Selected rows are a table of the same kind.

    See also
    --------
    fairflow.score : makes such a table.
    fairflow.plot : draws several of them in one figure.
    """

    @property
    def _constructor(self) -> type[Scores]:
        return Scores

    def _readable(self) -> list[dict[str, Any]]:
        rows = [
            {name: cell for name, cell in row.items() if isinstance(cell, list) or pd.notna(cell)}
            for row in self.to_dict("records")
        ]
        sets = dict(zip(self["query"], self["sets"], strict=True))
        return readable_columns(rows, sets, self.attrs.get("labels", {}))

    def _is_readable(self) -> bool:
        return {*self.columns} >= _SHOWN and len(self) > 0

    def __repr__(self) -> str:
        if not self._is_readable():
            return super().__repr__()
        told = "".join(f"{line}\n" for line in self.attrs.get("told", ()))
        return f"{aligned(self._readable())}{told}".rstrip("\n")

    def _repr_html_(self) -> str | None:
        if not self._is_readable():
            return super()._repr_html_()
        told = "".join(f"<p>{escape(line)}</p>" for line in self.attrs.get("told", ()))
        return f"{_as_html(pd.DataFrame(self._readable()).map(as_shown))}{told}"

    def plot(self, figure: str | None = None) -> Figure:
        """Draw the scores, see `fairflow.plot`."""
        return plot(self, figure=figure)

    def citations(self) -> list[str]:
        """The publications of the metrics and of the preset, to be cited."""
        return [*self.attrs.get("citations", ())]


def score(
    vectors: Vectors,
    queries: str | Query | Iterable[str | Query] = USUAL_PRESET,
    metrics: str | type[BaseMetric] | Iterable[str | type[BaseMetric]] | None = None,
    *,
    name: str | None = None,
    language: str | None = None,
    lookup: str | None = None,
    prefix: str | None = None,
    vector_format: str | None = None,
    statistics: bool = True,
    all_measures: bool = False,
) -> Scores:
    """Score word vectors, with tests and intervals, as `fairflow score` in a terminal does.

    Parameters
    ----------
    vectors : the path of a file of any format; the name of a bundled model ("word2vec", "glove"),
        of a converted one, or of one that gensim.downloader has stored; gensim's KeyedVectors; a
        dictionary of words and vectors; or a `WordEmbeddingModel`.
    queries : the name of a preset, names of queries, or queries of your own. Words of the latter
        are looked up as they are written, then in lower case.
    metrics : names, or classes of metrics, whose effect size or first measure is taken; by default
        those of the preset.
    name : of the model in the table; it also seeds random splits.
    language : a BCP 47 tag such as "fr", whose tests replace the default queries; by default that
        of the file.
    lookup : the name of a look-up that replaces that of each query.
    prefix : what the vocabulary has before each word, such as "/c/en/".
    vector_format : of the file, if its content does not show it.
    statistics : whether there are tests and intervals.
    all_measures : also the measures by which a metric is not ranked.

    Returns
    -------
    `Scores`, a DataFrame with a row for each (sub-)query and metric. `p_value` is one-sided where
    `alternative` is "greater" (by `weat_es_caliskan`, which the usual preset has) or "less" (by
    ECT); else two-sided, so by `fairflow.WEAT`, "weat", "weat_es", RND and RIPA.

    Raises
    ------
    FairflowError : an unknown name (the message lists similar ones), or no vectors there.
    TypeError : neither vectors nor a name of them; queries or metrics of another kind.

    Examples
    --------
    >>> import fairflow
    >>> vectors = {
    ...     "he": [1.0, 0.2], "him": [0.9, 0.1], "she": [0.1, 1.0], "her": [0.2, 0.8],
    ...     "salary": [1.0, 0.1], "office": [0.8, 0.3], "home": [0.2, 1.0], "family": [0.1, 0.7],
    ... }
    >>> query = fairflow.Query(
    ...     [["he", "him"], ["she", "her"]],
    ...     [["salary", "office"], ["home", "family"]],
    ...     ["Men", "Women"],
    ...     ["Work", "Home"],
    ... )
    >>> found = fairflow.score(vectors, query, fairflow.WEAT, statistics=False)
    >>> found[["sets", "value", "n_oov"]].round(2).to_dict("records")
    [{'sets': 'Men, Women - Work, Home', 'value': 1.73, 'n_oov': 0}]

    See also
    --------
    fairflow.list_queries : the names of queries.
    fairflow.plot : draws the scores of one model or of several.
    fairflow.run_queries : one metric on many queries and models, as WEFE has it.
    """
    project = project_here()
    asked = _several("queries", queries, (str, Query), "a name, a Query")
    (preset,) = asked if len(asked) == 1 and _is_preset(asked[0], project) else (None,)
    if preset:
        # The usual one stands for the tests of the language of a file, as in the terminal.
        asked, preset = [], None if preset == USUAL_PRESET and not metrics else preset
    wanted = (
        []
        if metrics is None
        else _several("metrics", metrics, (str, type), "a name, a class of metrics")
    )
    given: AskedVectors | WordEmbeddingModel
    if isinstance(vectors, str | Path):
        given = AskedVectors(str(vectors), name, vector_format, prefix)
    else:
        given = _model(vectors, name, prefix)
    options = preset, language, lookup, statistics, all_measures
    return _table(scores(project, given, asked, wanted, *options, (*COLUMNS, *_DRAWN)))


def _is_preset(given: Any, project: Any) -> bool:
    return isinstance(given, str) and given in project.contents("presets")


def _several(argument: str, given: Any, alone: tuple[type, ...], one: str) -> list[Any]:
    every = [given] if isinstance(given, alone) or not isinstance(given, Iterable) else [*given]
    if wrong := [each for each in every if not isinstance(each, alone)]:
        raise TypeError(f"{argument} must be {one} or a list of these, got {wrong[0]!r}")
    return every


def _model(vectors: Any, name: str | None, prefix: str | None) -> WordEmbeddingModel:
    """The vectors under the name and prefix that are asked, or else their own."""
    model = as_model(vectors, UNNAMED)
    if not isinstance(model, WordEmbeddingModel):
        raise TypeError(
            "vectors must be a path, a name, KeyedVectors, a dictionary of words and vectors, or a "
            f"WordEmbeddingModel, got {type(vectors)}"
        )
    if name or prefix:
        return WordEmbeddingModel(model.wv, name or model.name, prefix or model.vocab_prefix)
    return model


def _table(found: Scored) -> Scores:
    rows = [{"sets": found.sets[row["query"]], **row} for row in found.rows]
    table = Scores(pd.DataFrame(rows))
    counts = [column for column in ("n_words", "n_found", "n_oov") if column in table]
    table[counts] = table[counts].astype("Int64")
    cited = [one.metric_class.citation for one in found.variants.values()]
    cited += [found.preset["citation"]] if found.preset else []
    table.attrs = {
        "told": found.sentences,
        "citations": list(dict.fromkeys(filter(None, map(full_citation, cited)))),
        "labels": found.labels,
        "readings": {name: one.reading.facts for name, one in found.variants.items()},
        "query_parts": {
            name: {"targets": query.target_sets_names, "attributes": query.attribute_sets_names}
            for name, query in found.queries.items()
        },
    }
    return table


def plot(*tables: Scores, figure: str | None = None) -> Figure:
    """Draw scores of one model or of several, as the workflow draws those of a study.

    Parameters
    ----------
    tables : of `fairflow.score`, which differ in the model's name, the queries or the metrics.
    figure : `effect_sizes`, by default of one metric; `forest_plot`, by default of several; or
        another that a table of scores can be drawn as, such as `word_associations`.

    Returns
    -------
    A figure of matplotlib, which a notebook shows and `savefig` writes.

    Raises
    ------
    FairflowError : no table; two of the same scores; or a figure that these scores cannot be drawn
        as, such as one of the ranks of a study: the message lists those that suit.

    Examples
    --------
    >>> import fairflow
    >>> table = fairflow.score("word2vec", "weat_6")
    >>> len(fairflow.plot(table).axes)
    1

    See also
    --------
    fairflow.score : makes such tables.
    """
    # Late, because it takes a moment that scores alone do not need.
    from fairflow.products.figures import FIGURES, draw, drawable
    from fairflow.products.figures._save_figure import png_of
    from fairflow.products.figures._study_frames import StudyFrames, word_entries

    if not tables:
        raise FairflowError("nothing to draw: give what fairflow.score returned")
    rows = pd.concat([pd.DataFrame(table) for table in tables], ignore_index=True)
    twice = rows[rows.duplicated([*Cell._fields, "subquery", "measure"])]
    if len(twice):
        one = twice.iloc[0]
        raise FairflowError(
            f"the tables have two scores of {one['model']!r} by {one['metric']} on {one['query']}: "
            "give each model its own name, fairflow.score(..., name=...)"
        )
    rows = rows.assign(criterion="", query_label=rows["sets"])
    rows["words"] = [[word._asdict() for word in word_entries(words)] for words in rows["words"]]
    names = {
        kind: {k: v for table in tables for k, v in table.attrs.get(kind, {}).items()}
        for kind in ("labels", "readings", "query_parts")
    }
    called = {pair for table in tables for pair in table.attrs.get("labels", {}).items()}
    if len(called) > len(names["labels"]):
        raise FairflowError(f"metrics of one name differ, draw each on its own: {sorted(called)}")
    names["labels"] |= dict(zip(rows["query"], rows["query_label"], strict=True))
    several = rows["metric"].nunique() > 1
    usual = "forest_plot" if several else "effect_sizes"
    figure, frames = figure or usual, StudyFrames(rows, **names)
    try:
        fits = (figure in FIGURES.names or "." in figure) and drawable(frames, [figure])
    except ConfigurationError as error:
        # A figure of the user's.
        raise FairflowError(error.problems[0]) from error
    if not fits:
        suited = ", ".join(drawable(frames)) or "none, it has no rows"
        raise FairflowError(
            f"this table of scores cannot be drawn as {figure!r}. Figures that it has: {suited}"
        )
    drawn = draw(figure, frames)
    # A notebook that never imported pyplot would show the name of the class.
    vars(drawn)["_repr_png_"] = lambda: png_of(drawn)
    return drawn


def list_queries(*words: str, language: str = "en") -> Queries:
    """The queries of words that can be scored, by their names.

    Parameters
    ----------
    words : only queries whose line has all of these, in any case.
    language : a BCP 47 tag; of this language alone.

    Returns
    -------
    A dictionary, name -> what the query asks, that prints a line for each.

    Raises
    ------
    FairflowError : there is no such query.

    Examples
    --------
    >>> import fairflow
    >>> fairflow.list_queries("career", "names", "replication")
    weat_6  Male names and Female names with Career and Family (weat_replication)

    See also
    --------
    fairflow.load_query : the words of a query.
    fairflow.score : takes these names.
    """
    wanted = [word.casefold() for word in words]
    found = {
        name: says
        for name, says, tag in word_queries(project_here(checked=False))
        if tag == language and all(word in f"{name} {says}".casefold() for word in wanted)
    }
    if not found:
        raise FairflowError(f"no query in {language!r} has {' '.join(words)!r} in its line")
    return Queries(found)


class Queries(dict[str, str]):
    """Name -> what a query asks; prints a line for each."""

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {says}" for name, says in self.items())

    def _repr_html_(self) -> str:
        return _as_html(pd.DataFrame({"name": [*self], "what it asks": [*self.values()]}))


def _as_html(cells: pd.DataFrame) -> str:
    """A table of texts; notebooks would put them to the right."""
    return re.sub(
        r"<(t[dh])>", r'<\1 style="text-align: left">', cells.to_html(index=False, border=0)
    )
