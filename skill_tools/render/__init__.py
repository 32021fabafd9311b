"""From a spec to files: the plan, the lock file and drift, bundles, and actions written as text."""
