"""The door for WEFE's notebooks: its names, defaults and manners, on this library."""
