"""Probes: what an exploiting policy would try, played on the bare domain."""
