"""Audits of graders that ask a model: injections, and the judge's view of a reply."""
