"""Deployments, run here by the engines that run here: HAProxy, and SLURM."""
