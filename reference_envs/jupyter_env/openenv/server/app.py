"""Serve Jupyter agent over OpenEnv's protocol.

Rendered from env.yaml; `skill-tools render` overwrites it. Start it from the folder above with
`uv run server`, `python -m server.app` or `uvicorn server.app:app`. One WebSocket on /ws is one
session; ENABLE_WEB_INTERFACE=true adds a page for humans at /web.
"""

import argparse
import logging
import os
import socket
import sys

import uvicorn
from fastapi import WebSocketDisconnect
from jupyter_domain._shared import env_spec
from jupyter_domain._shared.threads import close_at_shutdown
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation

from server.jupyter_environment import JupyterEnvironment

# The framework's own default is one session, which starves any trainer that samples in groups.
app = create_app(
    JupyterEnvironment,
    CallToolAction,
    CallToolObservation,
    env_name=env_spec.NAME,
    max_concurrent_envs=int(os.environ.get("MAX_CONCURRENT_ENVS", "4096")),
)
close_at_shutdown(app)


class _Departures(logging.Filter):
    """Keeps out of the log the tracebacks that openenv-core 0.3 writes when clients leave."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        # The second is raised for the answer to a call that the client has left.
        gone = isinstance(error, WebSocketDisconnect) or "once a close message" in str(error)
        return not gone


logging.getLogger("uvicorn.error").addFilter(_Departures())


def main() -> None:
    """Serve until interrupted. Exits with a message when the address cannot be had."""
    parser = argparse.ArgumentParser(description=f"Serve {env_spec.TITLE} over OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 to serve other machines")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--log-level", default="warning")
    args = parser.parse_args()
    listener = _listen(args.host, args.port)
    config = uvicorn.Config(
        app,
        log_level=args.log_level,
        # A trainer busy with a long generation answers pings late: no reason to hang up.
        ws_ping_timeout=300,
        # Compressing these short messages costs more than sending them.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
    print(f"{env_spec.NAME} is served on http://{args.host}:{args.port}", flush=True)
    uvicorn.Server(config).run([listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=4096)
    except (OSError, OverflowError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (")[0]
        sys.exit(f"error: cannot serve on {host}:{port}: {reason}; choose another --port")


if __name__ == "__main__":
    main()
