# %% [markdown]
# # Correlations
# Do two rankings agree? Spearman's correlation, or another, of every two columns.

# %%
import pandas as pd
from wefe.utils import calculate_ranking_correlations

ranking = pd.DataFrame(
    {
        "WEAT: Gender average of abs values score": [1.0, 3.0, 2.0, 4.0, 5.0],
        "RND: Gender average of abs values score": [2.0, 1.0, 3.0, 5.0, 4.0],
        "RNSB: Gender average of abs values score": [5.0, 4.0, 2.0, 1.0, 3.0],
    },
    index=pd.Index([f"model {letter}" for letter in "ABCDE"], name="model_name"),
)

# %%
correlations = calculate_ranking_correlations(ranking)
correlations

# %%
kendall = calculate_ranking_correlations(ranking, method="kendall")
kendall

# %%
values = {
    "spearman": correlations,
    "kendall": kendall,
    "pearson": calculate_ranking_correlations(ranking, "pearson"),
    "largest gap": calculate_ranking_correlations(
        rankings=ranking, method=lambda left, right: float(abs(left - right).max())
    ),
}
