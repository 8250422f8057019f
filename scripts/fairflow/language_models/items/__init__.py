"""Items, with which language models are queried: their kinds, files and requests."""
