"""What serves an environment: ASGI, sessions, who may ask, metrics, and a page for people."""
