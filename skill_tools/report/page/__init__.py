"""The report as one HTML page for reading episodes: the page's contents, and the writing of the page."""
