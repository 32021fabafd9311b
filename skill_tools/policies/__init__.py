"""Policies: scripted players, and the endpoint that answers for them as a model server."""
