"""Environments with one defect each, and unusual ones without any: what the checks say of them."""
