"""Inference: the one room with torch, where a language model is run on texts."""
