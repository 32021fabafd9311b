"""Functions that decode the pictures of environments; these pictures may be malformed."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST_PIXELS = 16_000_000
"""Maximum pixels of a picture to decode; a larger one may be a decompression bomb."""
_DEEP = {"F", "I", "I;16", "I;16B", "I;16L", "I;16N"}


def briefly(observation: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return an observation with a checksum in place of each picture, for the stored attempts.

    The child process has its own copy of this function (``runs.checksum``), because it cannot import this package.
    """
    return [block if block["type"] == "text" else _brief(block) for block in observation]


def _brief(block: dict[str, Any]) -> dict[str, Any]:
    data = json.dumps(block, sort_keys=True, default=str).encode()
    return {"type": "text", "text": f"[image {hashlib.sha256(data).hexdigest()[:16]}]"}


class NoPictureError(ValueError):
    """Error for data that are not a picture; the message gives the reason."""


class TooLargeError(NoPictureError):
    """Error for data that may be a picture, but with more pixels than MOST_PIXELS."""


def read_base64(data: str) -> bytes:
    """Return the bytes of a picture. Raises NoPictureError if the text is not base64."""
    try:
        return base64.b64decode(data, validate=True)
    except ValueError as error:
        raise NoPictureError("is not base64") from error


def decode(data: str) -> Any:
    """Load a picture. Raises NoPictureError if the data are no picture, TooLargeError if they are too large."""
    # Imported here: most environments show no picture, and every command would load it.
    from PIL import Image, UnidentifiedImageError

    bomb, warning = Image.DecompressionBombError, Image.DecompressionBombWarning
    raw = read_base64(data)
    try:
        with warnings.catch_warnings():
            # Pillow only warns about a large picture; we do not decode it.
            warnings.simplefilter("error", warning)
            picture = Image.open(io.BytesIO(raw))
            if picture.width * picture.height > MOST_PIXELS:
                picture.close()
                raise TooLargeError("is too large to be decoded")
            picture.load()
    except (bomb, warning) as error:
        raise TooLargeError("is too large to be decoded") from error
    except (OSError, SyntaxError, UnidentifiedImageError) as error:
        raise NoPictureError(f"cannot be decoded: {str(error)[:80]}") from error
    except ValueError as error:
        if isinstance(error, NoPictureError):
            raise
        raise NoPictureError(f"cannot be decoded: {str(error)[:80]}") from error
    return picture


@contextmanager
def opened(data: str) -> Iterator[Any]:
    """Yield a decoded picture; None if the picture is invalid, too large, animated or has deep colors."""
    try:
        picture = decode(data)
    except NoPictureError:
        yield None
        return
    with picture:
        # RGBA holds 8 bits and one frame: anything more is compared as bytes.
        flat = picture.mode not in _DEEP and getattr(picture, "n_frames", 1) == 1
        yield picture if flat else None
