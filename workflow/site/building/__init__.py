"""The pages and formulas that are made when the site is built; mkdocs knows hooks.py alone."""
