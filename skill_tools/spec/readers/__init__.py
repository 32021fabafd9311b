"""What readers of an environment write: expectations, claims and answers, read and salvaged."""
