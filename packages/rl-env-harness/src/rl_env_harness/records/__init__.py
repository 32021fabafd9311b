"""The output of rollouts: trajectories as JSON lines, and their summary."""
