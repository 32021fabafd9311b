"""The restrictions that the kernel puts on a session: calls, namespaces, users, disk, memory and processes."""
