"""Languages other than English: that of a file of vectors, its tests, and grammatical gender."""
