"""The data worlds: each makes messy files from clean records, and questions about the records."""
