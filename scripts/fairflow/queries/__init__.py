"""What is asked of word vectors: queries, their files, and which words stand for theirs."""
