"""Environments that exist already: imported as ours, and compared with their originals."""
