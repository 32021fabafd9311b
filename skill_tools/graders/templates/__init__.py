"""Where a reply has its answer: the question's form, answer templates, and their search."""
