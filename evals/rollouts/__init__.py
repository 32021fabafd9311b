"""Plays what a solver left on disk: finds variants, installs and serves them, and drives each.

The scripts in ``inside/`` run in a framework's venv and use its official client. A candidate's code
never runs in this process, and never gets to see what is expected of it.
"""
