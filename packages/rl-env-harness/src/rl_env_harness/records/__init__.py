"""The output of rollouts: trajectories as JSON lines, and the summary of trajectories."""
