"""What the child is asked to do. The name is ours alone: authors' requirements are imported next to it."""
