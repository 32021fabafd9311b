"""Tests of red_square: only the picture shows where to click, and no text does."""

import base64
import io

from PIL import Image

from evals.episode import Play, PlayError, episode


def red(images: tuple[str, ...]) -> tuple[tuple[int, int], set[tuple[int, int]]]:
    """Return the picture's size and its red pixels."""
    if not images:
        raise PlayError("look() returned no picture")
    picture = Image.open(io.BytesIO(base64.b64decode(images[-1]))).convert("RGB")
    width, height = picture.size
    places = ((x, y) for x in range(width) for y in range(height))
    return picture.size, {place for place in places if picture.getpixel(place) == (255, 0, 0)}


@episode("the picture is as asked", "clicking on red pays 1")
def hitting(play: Play) -> None:
    """Click on corners of the square, which are also red."""
    for index, pick in ((0, min), (1, max)):
        play.open("train", index)
        size, pixels = red(play.call("look").images)
        right = size == (64, 64) and len(pixels) == 64
        play.expect("the picture is as asked", right, f"{size} with {len(pixels)} red pixels")
        x, y = pick(pixels)
        play.call("click", x=x, y=y)
        paid = play.close().returned
        play.expect("clicking on red pays 1", paid == 1.0, f"({x}, {y}) paid {paid}")


@episode("clicking beside it pays 0", "one click ends it")
def missing(play: Play) -> None:
    """Click one pixel outside the square."""
    for index in (2, 3, 4, 5):
        play.open("train", index)
        _, pixels = red(play.call("look").images)
        (x, y), (right, _) = min(pixels), max(pixels)
        adjacent = right + 1 if right < 63 else x - 1
        play.call("click", x=adjacent, y=y)
        play.expect("one click ends it", play.done, "it goes on after a click")
        paid = play.close().returned
        play.expect("clicking beside it pays 0", paid == 0.0, f"({adjacent}, {y}) paid {paid}")


@episode("each task has its own place", "the splits have 20 and 5 tasks")
def places(play: Play) -> None:
    """Compare the positions of the square in some tasks of each split."""
    counts = play.splits() or {}
    right = counts.get("train") == 20 and counts.get("test") == 5
    play.expect("the splits have 20 and 5 tasks", right, counts)
    found = []
    for split, index in (("train", 0), ("train", 7), ("train", 19), ("test", 0), ("test", 4)):
        play.open(split, index)
        found.append(min(red(play.call("look").images)[1]))
        play.close()
    play.expect("each task has its own place", len(set(found)) == 5, found)
