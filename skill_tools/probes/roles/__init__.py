"""Probes of models inside: attacks on their prompts, and replies that no stand-in gives."""
