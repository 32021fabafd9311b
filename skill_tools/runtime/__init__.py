"""Running child processes: supervision, interpreters, venvs, consent and missing dependencies."""
