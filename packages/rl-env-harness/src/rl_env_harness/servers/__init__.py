"""Serving an environment: ASGI, sessions, access, metrics, and a page for people."""
