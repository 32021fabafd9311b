"""Existing environments, which are imported as ours and compared with their originals."""
