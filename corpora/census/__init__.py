"""The census: public environments that are audited, and a reader's judgment of the findings from each source."""
