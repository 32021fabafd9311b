"""Environments with one defect each, and unusual environments without a defect, to measure the checks."""
