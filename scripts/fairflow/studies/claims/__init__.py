"""What a study lets one say: claims of a dozen kinds, and their words."""
