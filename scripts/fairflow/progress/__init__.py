"""What a person reads during and after a run: progress, failures and what was found."""
