"""Does an agent build better environments with these skills? Cases, solvers, scorers, and a report.

``case`` reads the requirements, ``solvers`` build environments for them, and ``rollouts`` plays these
environments. ``scorers`` score the results, and ``report`` compares the scores. ``inspect_task`` runs all of
these steps on Inspect.
"""
