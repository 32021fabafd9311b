"""Policies act and evidence comes out: scripts, the policy server, rollouts, the reference run."""
