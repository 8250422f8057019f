# %% [markdown]
# # One query
# Do the vectors bring women and the family together, men and the career? A query holds two sets of
# target words and two of attribute words, a metric turns it into one number.

# %%
import json

from wefe.datasets import load_weat
from wefe.metrics import ECT, MAC, RIPA, RND, WEAT
from wefe.query import Query
from wefe.utils import load_test_model

model = load_test_model()
sets = load_weat()

# %%
family_or_career = Query(
    target_sets=[sets["female_terms"], sets["male_terms"]],
    attribute_sets=[sets["family"], sets["career"]],
    target_sets_names=["Female terms", "Male terms"],
    attribute_sets_names=["Family", "Career"],
)
family_or_career

# %%
result = WEAT().run_query(family_or_career, model)
print(result)


# %% [markdown]
# What `print` shows of a result, for the comparison below.


# %%
def printed(result):
    return json.loads(str(result).replace("'", '"').replace("nan", "NaN"))


values = {"weat": printed(result), "template": list(family_or_career.template)}
values["name"] = family_or_career.query_name

# %% [markdown]
# The effect size replaces the sum if it is requested.

# %%
result = WEAT().run_query(family_or_career, model, return_effect_size=True)
values["effect size"] = printed(result)
values["rounded"] = float(result["result"].round(3))
result["result"]

# %% [markdown]
# The other metrics, each with the numbers of sets that it takes.

# %%
family = family_or_career.get_subqueries((2, 1))[0]
values["sub-query"] = family.query_name
for metric in (RND, ECT, RIPA):
    short = metric.metric_short_name
    values[short] = printed(metric().run_query(family, model))
values["RND, by place"] = printed(
    RND().run_query(family, model, "norm", 0.2, [{}, {}], "all", True)
)
values["RND cos"] = printed(RND().run_query(family, model, distance="cos"))
values["MAC"] = printed(MAC().run_query(family_or_career, model))
values["order of entries"] = {
    name: list(values[name]) for name in ("weat", "RND", "ECT", "RIPA", "MAC")
}
values["ECT, normalised"] = printed(ECT().run_query(family, model, normalize=True))

# %% [markdown]
# Words that are missing in the model: a set that loses more than a fifth of them leaves the query
# without a value, unless another form of each word is looked for, or more of them may be lost.

# %%
upper = [[word.upper() for word in words] for words in family_or_career.target_sets]
capitals = Query(upper, family_or_career.attribute_sets, ["WOMEN", "MEN"], ["Family", "Career"])
values["lost"] = printed(WEAT().run_query(capitals, model, warn_not_found_words=True))

# %%
lower = {"lowercase": True, "strip_accents": True}
values["lower case"] = printed(WEAT().run_query(capitals, model, preprocessors=[lower]))
values["first form"] = printed(
    WEAT().run_query(capitals, model, preprocessors=[{}, lower], strategy="first")
)
values["threshold"] = printed(
    WEAT().run_query(capitals, model, lost_vocabulary_threshold=0.9, normalize=True)
)
