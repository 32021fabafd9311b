"""Right and wrong answers to a question. They test whether a grader rewards exactly the right answers."""
