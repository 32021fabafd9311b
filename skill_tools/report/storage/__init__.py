"""Reports and trajectories on disk: written, found, replayed and rechecked."""
