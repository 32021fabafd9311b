"""Reports for people: the summary of evidence and findings, and the progress on a terminal."""
