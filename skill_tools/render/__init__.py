"""The way from a spec to files: the plan, the lock file and drift, bundles, and text actions."""
