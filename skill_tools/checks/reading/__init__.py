"""What rules read from evidence: episodes, sentences, pictures."""
