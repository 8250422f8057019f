"""What a paper takes from a study: LaTeX tables, macros, figures' sources and descriptions."""
