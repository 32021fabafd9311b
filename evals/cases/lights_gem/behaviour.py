"""Tests of lights_gem: the server has the same boards, rules and rewards as the GEM code."""

import re

from evals.episode import Play, PlayError, episode

PRESSED = {
    "train": ("5", "19", "37", "258", "1379", "46", "159", "2468", "78", "12369"),
    "test": ("28", "357", "1489", "26"),
}
"""As in the code that is given."""


def shown(text: str) -> str:
    found = re.findall(r"^LIGHTS: ([#.]{3}/[#.]{3}/[#.]{3})\s*$", text, re.MULTILINE)
    if not found:
        raise PlayError(f"no LIGHTS line in {text[-300:]!r}")
    return found[-1]


def after(board: str, number: int) -> str:
    """Return the board after a press. Lights are numbered from 1 to 9, row by row."""
    row, column = divmod(number - 1, 3)
    marks = [list(each) for each in board.split("/")]
    for down, right in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
        r, c = row + down, column + right
        if 0 <= r < 3 and 0 <= c < 3:
            marks[r][c] = "." if marks[r][c] == "#" else "#"
    return "/".join("".join(each) for each in marks)


def made(numbers: str) -> str:
    board = ".../.../..."
    for number in numbers:
        board = after(board, int(number))
    return board


def press(play: Play, number: int) -> str:
    row, column = divmod(number - 1, 3)
    return play.call("press", row=row + 1, column=column + 1).text


@episode("each split has its boards in their order")
def boards(play: Play) -> None:
    """Open all boards of both splits."""
    for split, all_pressed in PRESSED.items():
        for index, numbers in enumerate(all_pressed):
            lights = shown(play.open(split, index).text)
            name, held = "each split has its boards in their order", lights == made(numbers)
            play.expect(name, held, f"{split} {index}: {lights}")
            play.close()


@episode("a press switches its light and the neighbours")
def switching(play: Play) -> None:
    """Press a corner, an edge and the middle. The board of this task needs more presses than these."""
    board = shown(play.open("train", 9).text)
    for number in (1, 6, 5, 9, 5):
        wanted = after(board, number)
        lights = shown(press(play, number))
        name = "a press switches its light and the neighbours"
        play.expect(name, lights == wanted, f"{board}, pressing {number}: {lights}")
        board = lights
    play.close()


@episode("all lights off ends it and pays 1")
def winning(play: Play) -> None:
    """Solve one board of each split."""
    for split, index in (("train", 4), ("test", 1)):
        play.open(split, index)
        for number in PRESSED[split][index]:
            press(play, int(number))
        ended = play.done
        paid = play.close().returned
        held = ended and paid == 1.0
        play.expect("all lights off ends it and pays 1", held, f"ended: {ended}, it paid {paid}")


@episode("nine presses end it", "losing pays 0")
def losing(play: Play) -> None:
    """Press the middle light again and again, which does not solve this board."""
    play.open("train", 1)
    for number in range(9):
        if play.done:
            play.expect("nine presses end it", False, f"it ended after {number}")
            break
        shown(press(play, 5))
    play.expect("nine presses end it", play.done, "it goes on after nine")
    paid = play.close().returned
    play.expect("losing pays 0", paid == 0.0, f"it paid {paid}")


@episode("a place that is not there is refused and not counted")
def refused(play: Play) -> None:
    """Make three presses that are refused, and then nine valid presses."""
    name = "a place that is not there is refused and not counted"
    board = shown(play.open("train", 2).text)
    for row, column in ((0, 1), (4, 2), (1, 9)):
        play.call("press", row=row, column=column)
        play.expect(name, not play.done, f"({row}, {column}) ended it")
    for number in range(9):
        board = after(board, 5)
        lights = shown(press(play, 5))
        play.expect(name, lights == board, f"{lights} is not {board}")
        if number < 8:
            play.expect(name, not play.done, f"it ended after {number + 1} presses")
    play.close()
