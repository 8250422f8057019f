"""The door for FairLangProc's notebooks: its names, defaults and results, on this library."""
