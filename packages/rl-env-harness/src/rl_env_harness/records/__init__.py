"""What rollouts write: trajectories as JSON lines, and their summary."""
