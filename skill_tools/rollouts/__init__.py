"""Rollouts of variants, each in its own venv."""
