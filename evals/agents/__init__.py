"""Coding agents, installed from npm and run headless, and a scripted model that replaces their real model."""
