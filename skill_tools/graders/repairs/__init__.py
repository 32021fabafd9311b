"""Small changes to a grader, or to a reply, that show why the grader misjudges the reply."""
