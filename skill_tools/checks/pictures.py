"""Pictures in observations are the same when their pixels are, however they are compressed."""

from __future__ import annotations

import base64
import hashlib
import io
import warnings
from functools import lru_cache
from typing import Any

MOST_PIXELS = 16_000_000
"""Of a picture that is decoded; a larger one, as a bomb would be, is compared as its bytes."""
_DEEP = {"F", "I", "I;16", "I;16B", "I;16L", "I;16N"}


def as_pixels(value: Any) -> Any:
    """Blocks with the data of every picture replaced by a digest of its pixels.

    Pixels are compared as RGBA, 8 bits each. A picture that cannot be decoded, is too large, moves or
    has deeper colours keeps its bytes.
    """
    if isinstance(value, list):
        return [as_pixels(each) for each in value]
    if (
        isinstance(value, dict)
        and value.get("type") == "image"
        and isinstance(value.get("data"), str)
    ):
        return {**value, "data": _digest(value["data"])}
    return value


@lru_cache(maxsize=256)
def _digest(data: str) -> str:
    # Only here: most environments show no picture, and every command would import it.
    from PIL import Image, UnidentifiedImageError

    bomb, warning = Image.DecompressionBombError, Image.DecompressionBombWarning
    try:
        with warnings.catch_warnings():
            # Pillow only warns of a picture that is large; we do not decode it.
            warnings.simplefilter("error", warning)
            with Image.open(io.BytesIO(base64.b64decode(data, validate=True))) as picture:
                # RGBA holds 8 bits and one frame: what has more is compared as its bytes.
                deep, moving = picture.mode in _DEEP, getattr(picture, "n_frames", 1) != 1
                if picture.width * picture.height > MOST_PIXELS or deep or moving:
                    return data
                pixels = picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError, bomb, warning):
        return data
    found = hashlib.sha256(repr(pixels.size).encode())
    found.update(pixels.tobytes())
    return f"pixels {found.hexdigest()}"
