"""The census: public environments that are audited, and what a reader of each source says of the findings."""
