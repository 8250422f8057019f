"""A study's LaTeX tables, macros and article."""
