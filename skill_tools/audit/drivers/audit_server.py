"""Serve a foreign environment in a separate process; runs in its framework's venv."""

from __future__ import annotations

import resource
import socket
import threading
import time
import traceback
from typing import Any


def print_causes(kind: type[Exception]) -> None:
    """Print the exception that is being handled when one of this kind is made, so that the log has it."""
    made: Any = kind.__init__

    def printing(self: Exception, *given: Any) -> None:
        traceback.print_exc()
        made(self, *given)

    type.__setattr__(kind, "__init__", printing)


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
