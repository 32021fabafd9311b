"""The solvers of cases: scripted solvers, which need no key, and coding agents."""
