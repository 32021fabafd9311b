"""Reports and trajectories on disk: written, found again, replayed and judged anew."""
