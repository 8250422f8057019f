"""What chance and the choice of words do to a score: tests, intervals, null bands, comparisons."""
