"""Play a solver's files: find the variants, install and serve them, and drive each variant.

The scripts in ``inside/`` run in a framework's venv and use its official client. A candidate's code never
runs in this process, and never sees the expectations.
"""
