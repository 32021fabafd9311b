"""Tests of the memory settings that a server applies before it starts."""

from __future__ import annotations

import gc
from typing import Any

import pytest
import uvicorn
from stand_in._shared.servers.asgi_server import DrainingServer


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Do nothing, because the app never gets a request."""


@pytest.mark.everything("costly")
async def test_garbage_is_not_looked_for_in_what_was_imported() -> None:
    server = DrainingServer(uvicorn.Config(app, port=0, lifespan="off", log_level="error"))
    server.announce = None
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    try:
        await server.startup()
        assert gc.get_freeze_count() > 10_000
        await server.shutdown()
    finally:
        gc.unfreeze()
