# As `skill-tools render` wrote it for protocol 1; what it has no more use for is left out.
"""The declarations of env.yaml as data, which every variant reads here."""

from typing import Any

NAME = "oldest"
BACKEND = "local"
SANDBOX_PROTOCOL = 1
DISPLAY: dict[str, Any] = {"size": (320, 240), "format": "png", "quality": 80, "unchanged": "note"}
