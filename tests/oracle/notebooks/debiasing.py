# %% [markdown]
# # Debiasing, and what it changes
# A method learns from a model and gives another one. The lists here are short; the ones that were
# published are those of `fetch_debiaswe` and `fetch_debias_multiclass`.

# %%
import tempfile
from pathlib import Path

from gensim.models import KeyedVectors
from wefe.datasets import load_weat
from wefe.debias.double_hard_debias import DoubleHardDebias
from wefe.debias.half_sibling_regression import HalfSiblingRegression
from wefe.debias.hard_debias import HardDebias
from wefe.debias.multiclass_hard_debias import MulticlassHardDebias
from wefe.metrics import MAC, RND, WEAT
from wefe.query import Query
from wefe.utils import load_test_model

model = load_test_model()
sets = load_weat()
pairs = [
    ["woman", "man"],
    ["girl", "boy"],
    ["she", "he"],
    ["mother", "father"],
    ["daughter", "son"],
    ["female", "male"],
    ["herself", "himself"],
]
to_equalise = [["she", "he"], ["woman", "man"], ["queen", "king"], ["Dad", "Mom"]]
gender_specific = ["she", "he", "her", "his", "woman", "man", "girl", "boy", "mother", "father"]
gender_specific += ["daughter", "son", "female", "male", "herself", "himself", "queen", "king"]
gender_specific += ["Dad", "Mom", "dad", "mom", "wife", "husband"]

# %%
career = Query(
    [sets["male_terms"], sets["female_terms"]],
    [sets["career"], sets["family"]],
    ["Male terms", "Female terms"],
    ["Career", "Family"],
)
names = Query(
    [sets["male_names"], sets["female_names"]],
    [sets["pleasant_5"], sets["unpleasant_5a"]],
    ["Male names", "Female names"],
    ["Pleasant", "Unpleasant"],
)
career_alone = career.get_subqueries((2, 1))[0]


def measured(some):
    """Two WEAT scores and a distance, of vectors of length 1 and of the model's own."""
    return {
        "career": WEAT().run_query(career, some, normalize=True)["weat"],
        "names": WEAT().run_query(names, some, preprocessors=[{}, {"lowercase": True}])["weat"],
        "distance": RND().run_query(career_alone, some)["rnd"],
        "she, nurse": float(some.wv.similarity("she", "nurse")),
        "doctor": some["doctor"][:6].tolist(),
    }


values = {"before": measured(model)}

# %% [markdown]
# Along one direction.

# %%
hard = HardDebias(verbose=False, criterion_name="gender")
hard.fit(model, definitional_pairs=pairs, equalize_pairs=to_equalise)
values["direction"] = hard.bias_direction_[:8].tolist()
values["explained"] = hard.pca_.explained_variance_ratio_[:6].tolist()
values["forms"] = [list(pair) for pair in hard.equalize_pairs_candidates_]
values["found"] = [list(pair) for pair in hard.equalize_pairs_embeddings_]
values["definitional"] = len(hard.definitional_pairs_embeddings_)

# %%
debiased = hard.transform(model, ignore=gender_specific, copy=True)
values["names of models"] = [model.name, debiased.name]
values["hard"] = measured(debiased)
values["before, again"] = measured(model)

# %% [markdown]
# Some words only; words to equalise change all the same.

# %%
some_words = hard.transform(model, target=sets["career"] + sets["family"])
values["target"] = measured(some_words)

# %% [markdown]
# Nothing to ignore: words that are neutralised and equalised.

# %%
values["nothing to ignore"] = measured(HardDebias().fit(model, pairs).transform(model))

# %% [markdown]
# Kept for other programs, and read again.

# %%
with tempfile.TemporaryDirectory() as folder:
    debiased.wv.save(str(Path(folder, "debiased.kv")))
    debiased.wv.save_word2vec_format(str(Path(folder, "debiased.bin")), binary=True)
    again = KeyedVectors.load(str(Path(folder, "debiased.kv")))
    exported = KeyedVectors.load_word2vec_format(str(Path(folder, "debiased.bin")), binary=True)
values["saved"] = [again["doctor"][:6].tolist(), exported["doctor"][:6].tolist()]
values["first words"] = exported.index_to_key[:5]

# %% [markdown]
# Several classes: two directions, and the default number.

# %%
definitional_sets = [
    ["black", "caucasian", "asian"],
    ["african", "caucasian", "asian"],
    ["black", "white", "asian"],
    ["africa", "america", "asia"],
    ["africa", "america", "china"],
    ["africa", "europe", "asia"],
]
stereotypes = [
    ["manager", "executive", "redneck", "hillbilly", "leader", "farmer"],
    ["doctor", "engineer", "laborer", "teacher"],
    ["slave", "musician", "runner", "criminal", "homeless"],
]
ethnicity = Query(
    [["america", "caucasian", "europe", "white"], ["africa", "african", "black"]],
    [stereotypes[0], stereotypes[2]],
    ["White terms", "Black terms"],
    ["White stereotypes", "Black stereotypes"],
)


def ethnic(some):
    """WEAT, MAC and some cosines."""
    near = [("black", "criminal"), ("asian", "engineer"), ("africa", "home")]
    return {
        "weat": WEAT().run_query(ethnicity, some, normalize=True)["weat"],
        "mac": MAC().run_query(ethnicity, some)["mac"],
        "cosines": [float(some.wv.similarity(*words)) for words in near],
    }


values["ethnicity, before"] = ethnic(model)

# %%
two = MulticlassHardDebias(pca_args={"n_components": 2}, criterion_name="ethnicity")
two.fit(model=model, definitional_sets=definitional_sets, equalize_sets=stereotypes)
values["subspace"] = two.bias_subspace_[:, :6].tolist()
values["ethnicity, two directions"] = ethnic(two.transform(model))
values["ethnicity, target"] = ethnic(two.transform(model, target=["home", "family"]))

# %%
many = MulticlassHardDebias().fit(model, definitional_sets, stereotypes)
values["subspace by default"] = len(many.bias_subspace_)
values["ethnicity, by default"] = ethnic(many.transform(model))

# %% [markdown]
# What gender words predict of others, taken out.

# %%
half = HalfSiblingRegression().fit(model=model, definitional_words=gender_specific)
values["half-sibling"] = measured(half.transform(model))
strong = HalfSiblingRegression().fit(model, gender_specific, alpha=10)
values["half-sibling, ignore"] = measured(strong.transform(model, ignore=["doctor", "career"]))
strong = HalfSiblingRegression().fit(model, gender_specific, alpha=10)
values["half-sibling, target"] = measured(strong.transform(model, target=sets["family"]))

# %% [markdown]
# A component of the whole vocabulary, and then the direction.

# %%
double = DoubleHardDebias(n_words=500)
double.fit(model, definitional_pairs=pairs, bias_representation=["he", "she"])
values["direction of raw vectors"] = double.bias_direction[:6].tolist()
leaning = double.get_target_words(model, None, ["he", "she"], 5, ["he", "she"])
values["words that lean most"] = leaning
values["double"] = measured(double.transform(model, ignore=gender_specific))

# %% [markdown]
# The model itself, at last.

# %%
changed = HardDebias(criterion_name="gender").fit_transform(
    model, copy=False, definitional_pairs=pairs, equalize_pairs=to_equalise, ignore=gender_specific
)
values["in place"] = [changed is model, model.name, model["doctor"][:6].tolist()]
