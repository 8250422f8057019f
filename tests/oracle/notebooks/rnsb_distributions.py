# %% [markdown]
# # The distributions of RNSB
# A classifier learns from an opinion lexicon which vectors are those of negative words. Were no
# term nearer to them than another, every one would have the same share.

# %%
import json

import pandas as pd
from wefe.datasets import load_bingliu
from wefe.metrics import RNSB
from wefe.query import Query
from wefe.utils import load_test_model

terms = ["he", "him", "man", "boy", "she", "her", "woman", "girl"]
model = load_test_model()
opinion = load_bingliu()
some = {side: [word for word in words if word in model][:400] for side, words in opinion.items()}

# %%
query = Query(
    [[word] for word in terms],
    [some["positive_words"], some["negative_words"]],
    attribute_sets_names=["Positive words", "Negative words"],
)
result = RNSB().run_query(query, model, holdout=False)

# %%
shares = pd.DataFrame(result["negative_sentiment_distribution"].items(), columns=["Word", "Share"])
shares

# %% [markdown]
# A part of the words may be kept back to see how well the classifier does; who names the state of
# the generator gets the same part again.

# %%
kept_back = RNSB().run_query(query, model, random_state=7)
one_group = Query([terms], query.attribute_sets, ["Groups"], ["Positive", "Negative"])

# %%
values = {
    "lexicon": {side: len(words) for side, words in opinion.items()},
    "order of entries": list(json.loads(str(result).replace("'", '"'))),
    "result": float(result["result"]),
    "rnsb": float(result["rnsb"]),
    "shares": shares,
    "probabilities": {
        word: float(value) for word, value in result["negative_sentiment_probabilities"].items()
    },
    "sum": float(shares["Share"].sum()),
    "kept back": float(kept_back["result"]),
    "kept back, by word": {
        word: float(value) for word, value in kept_back["negative_sentiment_probabilities"].items()
    },
    "one set": float(RNSB().run_query(one_group, model, holdout=False)["result"]),
    "are dictionaries": isinstance(result["negative_sentiment_distribution"], dict),
}
