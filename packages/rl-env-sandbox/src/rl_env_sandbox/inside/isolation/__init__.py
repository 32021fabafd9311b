"""What the kernel lets a session do: calls, namespaces, users, disk, memory and processes."""
