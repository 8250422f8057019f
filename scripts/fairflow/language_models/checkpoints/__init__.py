"""Checkpoints: the files of a language model, read without torch."""
