"""Tiny language models, trained here on sentences made by rule."""
