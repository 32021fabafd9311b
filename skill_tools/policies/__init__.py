"""Policies: scripted players, and an endpoint that serves them like a model server."""
