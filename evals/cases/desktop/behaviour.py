"""Tests of desktop: keys and clicks reach the programs, and the files determine the reward."""

import base64
import io

from PIL import Image, ImageChops

from evals.episode import Play, PlayError, Seen, episode

LINE = "Call the plumber on Monday."


def picture(seen: Seen) -> Image.Image:
    if not seen.images:
        raise PlayError(f"there is no picture, but {seen.text[:200]!r}")
    return Image.open(io.BytesIO(base64.b64decode(seen.images[-1]))).convert("RGB")


def opened(play: Play) -> None:
    """Open the first task. Raise PlayError if it is not the expected task, because nothing can then be tested."""
    text = play.open("train", 0).text
    if "todo.txt" not in text or LINE not in text:
        raise PlayError(f"the first task is another one: {text[-300:]!r}")


def press(play: Play, *names: str) -> None:
    for name in names:
        play.call("key", text=name)


def ended(play: Play, status: str = "success") -> tuple[bool, float | None]:
    """Call ``terminate``. Return whether the call ended the episode, and the episode's return."""
    play.call("terminate", status=status)
    over = play.done
    return over, play.close().returned


@episode("the picture is 1024 by 768", "typing shows on the screen")
def looking(play: Play) -> None:
    """Type a text, and compare the pictures. Typed text changes many pixels, but a blinking caret changes few."""
    opened(play)
    before = picture(play.call("screenshot"))
    play.expect("the picture is 1024 by 768", before.size == (1024, 768), before.size)
    play.call("type", text="Nothing that was asked for")
    after = picture(play.call("screenshot"))
    changed = sum(ImageChops.difference(before, after).convert("L").histogram()[40:])
    play.expect("typing shows on the screen", changed > 300, f"{changed} pixels changed")
    play.close()


@episode("doing the first task pays 1 and ends it", "what the agent says counts nothing")
def keys(play: Play) -> None:
    """Do the first task with keys alone. Report success the first time, and failure the second time."""
    for name, status in (
        ("doing the first task pays 1 and ends it", "success"),
        ("what the agent says counts nothing", "failure"),
    ):
        opened(play)
        press(play, "ctrl+End")
        play.call("type", text=LINE)
        press(play, "ctrl+s")
        over, paid = ended(play, status)
        play.expect(name, over and paid == 1.0, f"ended: {over}, it paid {paid}")


@episode("a click goes where it is told to")
def clicking(play: Play) -> None:
    """Move from the start of the text to its end by a click into the white area below the text."""
    opened(play)
    press(play, "ctrl+Home")
    seen = picture(play.call("screenshot"))
    white = seen.convert("L").point([0] * 255 + [255]).getbbox()
    if white is None:
        raise PlayError("nothing on the screen is white; the editor is not there")
    left, top, right, bottom = white
    play.call("left_click", coordinate=[(left + right) // 2, (top + bottom) // 2])
    play.call("type", text=LINE)
    press(play, "ctrl+s")
    _, paid = ended(play)
    play.expect("a click goes where it is told to", paid == 1.0, f"it paid {paid}")


@episode("saying that it is done pays nothing", "what is not saved pays nothing")
def unsaved(play: Play) -> None:
    """End the first task at once, and then after typing the line without saving it."""
    opened(play)
    over, paid = ended(play)
    held = over and paid == 0.0
    play.expect("saying that it is done pays nothing", held, f"ended: {over}, it paid {paid}")
    opened(play)
    press(play, "ctrl+End")
    play.call("type", text=LINE)
    _, paid = ended(play)
    play.expect("what is not saved pays nothing", paid == 0.0, f"it paid {paid}")


@episode("more than was asked pays nothing", "without terminate nothing is paid")
def more(play: Play) -> None:
    """Add the requested line and one more line. Then add only the requested line, but do not call ``terminate``."""
    opened(play)
    press(play, "ctrl+End")
    play.call("type", text=f"{LINE}\nAnd the painter.")
    press(play, "ctrl+s")
    _, paid = ended(play)
    play.expect("more than was asked pays nothing", paid == 0.0, f"it paid {paid}")
    opened(play)
    press(play, "ctrl+End")
    play.call("type", text=LINE)
    press(play, "ctrl+s")
    paid = play.close().returned
    play.expect("without terminate nothing is paid", paid in (0.0, None), f"it paid {paid}")


@episode("each split has two tasks or more")
def tasks(play: Play) -> None:
    """Open the requested first task, and then the first two tasks of each split."""
    opened(play)
    play.close()
    for split in ("train", "test"):
        read = []
        for index in range(2):
            read.append(play.open(split, index).text[-400:])
            play.close()
        play.expect("each split has two tasks or more", read[0] != read[1], read)
