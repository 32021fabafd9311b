"""The census: public environments that are audited, and a reader's judgement of the findings from each source."""
