"""Answers to a question, right and wrong: what a grader must pay, and what it must not."""
