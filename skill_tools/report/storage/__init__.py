"""Reports and trajectories on disk: how they are written, found, replayed and checked again."""
