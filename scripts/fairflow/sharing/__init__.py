"""Results of runs for others: several runs merged into one, and a study exported."""
