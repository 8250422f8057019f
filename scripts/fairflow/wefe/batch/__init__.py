"""Many queries on many models, and the rankings made of them, as WEFE's manual names them."""
