"""Where in a reply the answer stands: what a question asks for, the frame around its answer, and the search for it."""
