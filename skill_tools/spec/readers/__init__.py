"""Files that readers of an environment write (expectations, claims and answers), and the parsing and repair of
them."""
