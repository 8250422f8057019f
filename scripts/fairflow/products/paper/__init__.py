"""What a paper takes from a study besides its figures: LaTeX tables, macros, an article."""
