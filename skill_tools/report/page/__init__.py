"""The report as one HTML page for reading episodes: its contents, and how it is written."""
