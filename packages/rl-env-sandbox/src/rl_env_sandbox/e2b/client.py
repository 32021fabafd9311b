"""Conversions between this package's values and the input and output of E2B's client."""

from __future__ import annotations

import logging
import os
import posixpath
from typing import Any

from .. import HOME

KILL_SECONDS = 30.0


def said(error: Exception) -> str:
    """Return an error as one line of text, without the API key."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text.replace(os.environ.get("E2B_API_KEY") or "\0", "(the key)")[:500]


def path_of(name: str) -> str:
    """Return a file's absolute path. A relative path begins in the working directory."""
    return posixpath.normpath(posixpath.join(HOME, sendable(name)))


def sendable(text: str) -> str:
    """Return text that can be encoded, without lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def end(cloud: Any, process: int, seconds: int) -> None:
    """End a sandbox, unless this process is a fork of the process that created it."""
    if os.getpid() != process:
        return
    try:
        cloud.kill(request_timeout=KILL_SECONDS)
    except Exception as error:  # noqa: BLE001 - no common base
        logging.getLogger(__name__).warning(
            "the E2B sandbox %s was not ended, and is billed for up to %d more seconds: %s",
            cloud.sandbox_id,
            seconds,
            said(error),
        )
