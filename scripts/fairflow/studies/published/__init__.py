"""Published numbers, and how computed ones compare with them."""
