"""Readers of published data that the user points to; the data keep their licences."""
