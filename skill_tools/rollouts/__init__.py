"""Rollouts of variants. Each variant runs in its own venv."""
