"""Queries of word vectors: their sets of words, their files, and the look-up of their words."""
