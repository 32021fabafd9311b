"""Probes of models inside the environment: attacks on their prompts, and replies that stand-ins never give."""
