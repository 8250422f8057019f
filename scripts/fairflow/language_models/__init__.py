"""Fairness metrics of language models, from the items to the scores.

`items` are what a model is queried with; `inference` runs the model on them; `slices` hold its
answers on disk; `metrics` compute scores from these answers alone.
"""

# Of tables: studies with language models, and those that ask them about items.
LANGUAGE, ITEMS = "language models", "items"
