"""What a reader gets, made from tables and plain values; no plan is known here."""
