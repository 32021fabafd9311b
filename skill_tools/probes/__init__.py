"""Probes, which are attempts of an exploiting policy, played on the bare domain."""
