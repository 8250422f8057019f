"""What a person reads of a run: how far it is, what failed, and what it found."""
