"""What rules read out of evidence: episodes, sentences, pictures."""
