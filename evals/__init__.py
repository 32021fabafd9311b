"""Does an agent build better environments with these skills? Cases, solvers, scorers, a report.

``case`` reads what is asked, ``solvers`` build it, ``rollouts`` plays what they left on disk,
``scorers`` say what held of it, ``report`` compares; ``inspect_task`` runs all of it on Inspect.
"""
