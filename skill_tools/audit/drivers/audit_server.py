"""Serve a foreign environment in a separate process; runs in its framework's venv."""

from __future__ import annotations

import resource
import socket
import threading
import time
from typing import Any


def serve(app: Any, tell: Any) -> None:
    """Serve an ASGI app on a free loopback port until this process is ended."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    tell({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"})

    def measure() -> None:
        most = 0
        while True:
            time.sleep(2.0)
            held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            if held > most:
                tell({"memory_mb": held})
            most = max(most, held)

    threading.Thread(target=measure, daemon=True).start()
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listener])
