"""What the kernel permits a session: calls, namespaces, users, disk, memory and processes."""
