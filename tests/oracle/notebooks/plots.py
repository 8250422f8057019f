# %% [markdown]
# # Plots
# Each function returns a figure: the last line of a cell shows it, and it can be kept as a page.

# %%
import pandas as pd
from wefe.utils import (
    calculate_ranking_correlations,
    plot_queries_results,
    plot_ranking,
    plot_ranking_correlations,
)

models = pd.Index(["word2vec dim=25", "word2vec dim=50", "word2vec dim=100"], name="model_name")
results = pd.DataFrame(
    {
        "Male terms and Female terms wrt Career and Family": [0.32, 0.36, 0.39],
        "Male terms and Female terms wrt Science and Arts": [0.17, -0.08, 0.1],
        "WEAT: Gender Queries average of abs values score": [0.245, 0.22, 0.245],
    },
    index=models,
)
ranking = pd.DataFrame(
    {
        "WEAT: Gender Queries average of abs values score": [1.0, 3.0, 2.0],
        "RNSB: Gender Queries average of abs values score": [3.0, 2.0, 1.0],
    },
    index=models,
)

# %%
plot_queries_results(results)

# %%
by_model = plot_queries_results(results, by="model")
by_model

# %%
plot_ranking(ranking, use_metric_as_facet=True)

# %%
stacked = plot_ranking(ranking)
stacked

# %%
heat_map = plot_ranking_correlations(calculate_ranking_correlations(ranking), title="Agreement")
heat_map

# %%
values = {
    "pages": ["</html>" in figure.to_html() for figure in (by_model, stacked, heat_map)],
    "pictures": [
        callable(figure.show) and callable(figure.write_image)
        for figure in (by_model, stacked, heat_map)
    ],
}


# %%
def is_refused(plot):
    try:
        plot([[1.0, 2.0]])
    except TypeError:
        return True
    return False


values["a list is refused"] = is_refused(plot_queries_results)
