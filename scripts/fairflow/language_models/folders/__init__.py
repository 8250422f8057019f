"""What the folder of a language model says of it, read without torch."""
