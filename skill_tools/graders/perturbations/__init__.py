"""Wrong answers of every kind: numbers, lists, JSON, texts, expressions, and null answers."""
