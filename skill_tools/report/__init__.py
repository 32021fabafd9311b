"""What a person reads: the summary of evidence and findings, and progress on a terminal."""
