# %% [markdown]
# # Word sets
# The lists of published studies that come with the package.

# %%
from wefe.datasets import load_bingliu, load_weat

sets = load_weat()
opinion = load_bingliu()

# %%
names = """flowers insects instruments weapons european_american_names_5 african_american_names_5
european_american_names_7 african_american_names_7 pleasant_5 unpleasant_5a unpleasant_5b pleasant_9
unpleasant_9 male_names female_names career family math arts male_terms female_terms science arts_2
male_terms_2 female_terms_2 mental_disease physical_disease temporary permanent young_people_names
old_people_names"""
values = {name: sets[name] for name in names.split()}
values["lexicon"] = {side: [len(words), sorted(words)[:3]] for side, words in opinion.items()}
