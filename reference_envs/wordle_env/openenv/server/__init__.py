"""Server side of the OpenEnv variant of Wordle.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""
