"""Coding agents that are installed from npm and run headless, and a scripted model in place of their real model."""
