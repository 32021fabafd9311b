"""Gymnasium's spaces as JSON, for the drivers of Gymnasium and PettingZoo."""
