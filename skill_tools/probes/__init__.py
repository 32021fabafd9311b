"""Probes: what an exploiting policy would attempt, played on the bare domain."""
