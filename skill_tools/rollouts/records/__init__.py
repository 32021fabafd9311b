"""Export trajectory files, summarize them, and convert them to rows."""
