"""From a spec to files: the plan, the lock file and edited files, bundles, and actions as text."""
