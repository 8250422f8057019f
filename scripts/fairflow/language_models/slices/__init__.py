"""What a language model answered, in files that need no network to be read."""
