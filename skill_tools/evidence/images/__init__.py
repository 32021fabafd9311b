"""Pictures of trajectories: decoded, kept once beside the files that show them, and referred to."""
