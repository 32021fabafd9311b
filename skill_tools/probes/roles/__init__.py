"""Probes of models inside the environment: attacks on their prompts, and replies that no stand-in gives."""
