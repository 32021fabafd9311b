"""Server side of the OpenEnv variant of Jupyter agent.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""
