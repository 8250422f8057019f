"""The figures of nulls: the file `NAME.py` holds the figure NAME."""
