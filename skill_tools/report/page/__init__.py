"""The report as one HTML page for reading episodes: its contents, and the code that writes it."""
