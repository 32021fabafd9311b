"""Files that readers of an environment write: expectations, claims and answers. This package parses and repairs
the files.
"""
