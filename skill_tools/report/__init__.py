"""Reports for people: the summary of evidence and findings, and progress on a terminal."""
