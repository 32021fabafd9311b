"""Policies: scripted players, and the endpoint that answers for them like a model server."""
