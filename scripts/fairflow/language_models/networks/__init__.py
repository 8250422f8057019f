"""The networks themselves, the one room with torch: what they answer to texts."""
