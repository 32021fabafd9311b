"""Find the answer in a reply: the question's form, answer templates, and the search for the right one."""
