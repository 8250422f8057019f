"""The word sets that WEFE hands out, from the files of this project."""
