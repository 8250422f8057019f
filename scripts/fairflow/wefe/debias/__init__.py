"""`wefe.debias`: the methods of debiasing with WEFE's parameters, on `fairflow.transforms`.

Each module has the class of its name, as in WEFE. They learn from a model and give another one;
a study derives models by `derive` in config/models.yaml instead, without a copy of the vectors.
"""
