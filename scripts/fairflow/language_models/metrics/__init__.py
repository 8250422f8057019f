"""The metrics of language models, on slices: numpy only, one file each."""
