"""Right and wrong answers to a question, which test whether a grader rewards exactly the right answers."""
