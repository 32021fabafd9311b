"""Right and wrong answers to a question: what a grader must reward, and what it must not."""
