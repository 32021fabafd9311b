"""Tools that are called in text: the call as a model would write it."""

from xml.sax.saxutils import quoteattr

import wire

TAGS = wire.settings()["tags"]


def written(tool, arguments):
    """A call in the format that the description pins, else as a tag with attributes."""
    if tool in TAGS:
        return TAGS[tool].format(**arguments)
    given = "".join(f" {name}={quoteattr(str(value))}" for name, value in arguments.items())
    return f"<{tool}{given}/>"
