"""What an author declares: the env spec, its parameters and rules, and reading it from YAML."""
