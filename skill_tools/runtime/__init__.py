"""How child processes run: supervision, interpreters, venvs, consent, and missing dependencies."""
