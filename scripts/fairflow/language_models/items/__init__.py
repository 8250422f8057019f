"""What is asked of a language model: items of every kind, their files and requests."""
