"""Pictures are compared by their pixels; what is no picture, by its bytes."""

from __future__ import annotations

import base64
import io
import zlib
from typing import Any

import pytest
from PIL import Image
from rl_env_sandbox import computer

from skill_tools.checks.reading.episodes import difference
from skill_tools.checks.reading.pixels import UNCHANGED, as_pixels, views
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.images.pictures import MOST_PIXELS
from skill_tools.evidence.trajectory import Trajectory

DECLARED = Declaration(name="picture")


def png(colour: tuple[int, ...] = (200, 30, 30), mode: str = "RGB", level: int = 6) -> bytes:
    with io.BytesIO() as file:
        Image.new(mode, (16, 9), colour if len(colour) > 1 else colour[0]).save(
            file, "PNG", compress_level=level
        )
        return file.getvalue()


def block(data: bytes) -> dict[str, Any]:
    return {"type": "image", "media_type": "image/png", "data": base64.b64encode(data).decode()}


def shown(data: bytes) -> Trajectory:
    step = {
        "tool": "look",
        "arguments": {},
        "observation": [block(data)],
        "reward": 0,
        "done": True,
    }
    given = {"model": "oracle", "label": "x", "steps": [step], "end": "terminated", "return": 0.0}
    return Trajectory.model_validate(given)


def bomb() -> bytes:
    """A PNG of a few bytes that says it has more pixels than we decode."""
    side = int(MOST_PIXELS**0.5) + 1

    def chunk(kind: bytes, data: bytes) -> bytes:
        return b"".join(
            [len(data).to_bytes(4, "big"), kind, data, zlib.crc32(kind + data).to_bytes(4, "big")]
        )

    size = side.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IEND", b"")


def test_the_same_pixels_are_the_same_picture_however_compressed() -> None:
    assert png(level=0) != png(level=9)
    assert difference(shown(png(level=0)), shown(png(level=9)), DECLARED) == ""


def test_a_pixel_of_difference_is_one() -> None:
    assert difference(shown(png()), shown(png((201, 30, 30))), DECLARED) == "step 1, observation"


def test_transparency_counts() -> None:
    clear = png((200, 30, 30, 0), "RGBA")
    assert difference(shown(png()), shown(clear), DECLARED) == "step 1, observation"


@pytest.mark.parametrize("data", [b"no picture", png()[:40], bomb()], ids=["text", "cut", "bomb"])
def test_what_cannot_be_decoded_is_compared_as_its_bytes(data: bytes) -> None:
    assert as_pixels([block(data)]) == [block(data)]
    assert difference(shown(data), shown(data + b"x"), DECLARED) == "step 1, observation"


def test_deep_and_moving_pictures_are_compared_as_their_bytes() -> None:
    deep = [png((value,), "I;16") for value in (1000, 1001)]
    assert difference(*map(shown, deep), DECLARED) == "step 1, observation"
    moving = []
    for last in (10, 20):
        with io.BytesIO() as file:
            frames = [Image.new("RGB", (4, 4), (grey, grey, grey)) for grey in (0, last)]
            frames[0].save(file, "PNG", save_all=True, append_images=frames[1:])
            moving.append(file.getvalue())
    assert difference(*map(shown, moving), DECLARED) == "step 1, observation"


def test_text_and_broken_blocks_are_left_alone() -> None:
    blocks = [{"type": "text", "text": "hi"}, {"type": "image", "data": None}, "x"]
    assert as_pixels(blocks) == blocks


def screens(*steps: tuple[str, bytes | None]) -> list[Any]:
    shown = [
        [{"type": "text", "text": text}, *([block(data)] if data else [])] for text, data in steps
    ]
    return views(shown, 0.02)


def dotted(dots: int) -> bytes:
    picture = Image.new("RGB", (100, 10))
    for x in range(dots):
        picture.putpixel((x, 0), (255, 0, 0))
    with io.BytesIO() as file:
        picture.save(file, "PNG")
        return file.getvalue()


def test_screens_are_alike_up_to_the_share_of_pixels_that_is_declared() -> None:
    assert screens(("a", dotted(0))) == screens(("a", dotted(20)))
    assert screens(("a", dotted(0))) != screens(("a", dotted(21)))
    assert screens(("a", dotted(0))) != screens(("b", dotted(0)))
    assert screens(("a", dotted(0))) != screens(("a", png()))
    assert screens(("a", dotted(0))) != screens(("a", None))


def test_a_screen_that_is_said_to_be_unchanged_is_the_one_before() -> None:
    noted = screens(("a", dotted(0)), (f"b {UNCHANGED}", None))
    assert noted == screens(("a", dotted(0)), ("b", dotted(20)))
    assert noted != screens(("a", dotted(0)), ("b", dotted(50)))
    assert noted != screens(("a", dotted(0)), ("c", dotted(0)))


def test_the_note_is_the_one_that_desktops_write() -> None:
    assert computer.UNCHANGED == UNCHANGED


def test_two_plays_differ_by_their_screens_only_beyond_the_tolerance() -> None:
    tolerant = Declaration(name="picture", tolerance=0.02)
    assert difference(shown(dotted(0)), shown(dotted(20)), tolerant) == ""
    assert difference(shown(dotted(0)), shown(dotted(20)), DECLARED) == "step 1, observation"
    assert difference(shown(dotted(0)), shown(dotted(30)), tolerant) == "step 1, observation"
