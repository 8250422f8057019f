"""Fairness metrics of language models, from what is asked to what it says of the model.

`items` are asked of `networks`, whose answers are `slices`; `metrics` read nothing but these.
"""
