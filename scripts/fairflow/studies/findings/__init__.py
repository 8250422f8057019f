"""What the tables of a study bear out: each statement has one function, which makes findings."""
