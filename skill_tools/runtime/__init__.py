"""How child processes run: supervision, interpreters, venvs, consent, and what a machine lacks."""
