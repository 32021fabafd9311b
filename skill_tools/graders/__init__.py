"""Right and wrong answers to a question, to test whether a grader rewards exactly the right ones."""
