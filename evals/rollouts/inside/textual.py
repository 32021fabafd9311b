"""Tool calls in text, as a model would write them."""

from xml.sax.saxutils import quoteattr

import wire

TAGS = wire.settings()["tags"]


def written(tool, arguments):
    """Return a call in the format that the description defines, or as a tag with attributes if none is defined."""
    if tool in TAGS:
        return TAGS[tool].format(**arguments)
    given = "".join(f" {name}={quoteattr(str(value))}" for name, value in arguments.items())
    return f"<{tool}{given}/>"
