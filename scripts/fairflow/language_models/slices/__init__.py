"""Slices: the answers of a language model in files, which are read without the model."""
