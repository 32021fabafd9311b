"""The author's declarations: the env spec, its parameters and rules, and reading the spec from YAML."""
