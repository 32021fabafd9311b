"""Turn an env spec into framework variants, roll them out, and check what they do."""

__version__ = "0.1.0"
