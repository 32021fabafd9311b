"""Graders of programs: wrong programs, mutants and their inputs, and tampering with the process."""
