"""The backend `e2b`: a session is a cloud sandbox of https://e2b.dev with a code context in it.

Programs run in a virtual machine without a network, as the user of its kernels (root, in E2B's own template). The
machine determines `memory_mb`, `disk_mb`, `processes` and `cpu_seconds`; this backend does not limit them.

A sandbox costs money until it ends. `close()`, the garbage collector and a normal end of this process end it. If the
process is killed, the sandbox ends by itself after `limits.sandbox_seconds`.

Settings: E2B_TEMPLATE names a custom template, for packages that the default one lacks. E2B's
client itself reads E2B_API_KEY, E2B_DOMAIN, E2B_API_URL and E2B_SANDBOX_URL.
"""

from __future__ import annotations

import os

from .. import SandboxFailed, SandboxUnavailable, Settings
from .client import said
from .session import E2BSession

REQUIREMENT = "e2b-code-interpreter>=2.11,<3"


def open_session(settings: Settings) -> E2BSession:
    """Create a sandbox and make it ready.

    Raises SandboxUnavailable if these settings cannot work, and SandboxFailed for any other failure.
    """
    try:
        from e2b_code_interpreter import Sandbox as Cloud
    except ImportError:
        raise SandboxUnavailable(
            f"the backend e2b needs the package {REQUIREMENT}, which is not installed: add it to "
            f"packages in env.yaml, or run with `uv run --with '{REQUIREMENT}'`"
        ) from None
    try:
        cloud = Cloud.create(
            template=os.environ.get("E2B_TEMPLATE") or None,
            timeout=settings.limits.sandbox_seconds,
            allow_internet_access=False,
        )
    except Exception as error:  # noqa: BLE001 - no common base
        raise refused(error) from None
    session = E2BSession(cloud, settings)
    try:
        session.prepare()
    except BaseException:
        session.close()
        raise
    return session


def refused(error: Exception) -> RuntimeError:
    """Return the error to raise if E2B does not create a sandbox."""
    from e2b import AuthenticationException

    status = getattr(error, "status_code", None)
    if isinstance(error, AuthenticationException) or status in (401, 403):
        return SandboxUnavailable(f"E2B refuses the key in E2B_API_KEY: {said(error)}")
    if status in (400, 404):
        return SandboxUnavailable(
            "E2B does not create a sandbox with these settings (E2B_TEMPLATE, sandbox_seconds of Limits): "
            f"{said(error)}"
        )
    return SandboxFailed(
        f"E2B does not create a sandbox now; try again, with fewer at once if the message says so: {said(error)}"
    )
