"""The player of a solver's files, which finds the variants, installs and serves them, and drives each variant.

The scripts in ``inside/`` run in a framework's venv and use its official client. A candidate's code
never runs in this process, and never sees the expectations.
"""
