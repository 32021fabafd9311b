"""Pictures of trajectories: decoded, stored once next to the files that show them, and referenced."""
