"""Tables of a study of a corpus: words, scores with their draws, and trends over subcorpora."""
