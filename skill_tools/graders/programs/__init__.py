"""Graders of programs: wrong programs, mutants of right ones, their inputs, and what tampers with the process."""
