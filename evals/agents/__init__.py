"""Coding agents: installed from npm, run headless, and a scripted model that they believe."""
