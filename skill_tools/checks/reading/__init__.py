"""Functions with which rules read evidence: episodes, sentences, pictures."""
