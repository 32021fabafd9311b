"""Tests of jupyter: cells run in one kernel, commands in new shells, and only the correct answer has a reward."""

import base64
import re

from evals.episode import Play, PlayError, Seen, episode

PLOT = """
import matplotlib.pyplot as plt
plt.figure(figsize=(3, 2))
plt.plot([1, 4, 9, 16])
plt.show()
"""
COUNT = """
import csv
rows = list(csv.DictReader(open("expenses.csv")))
others = {row["entry"] for row in rows if row["department"].strip().lower() != "sales"}
print("COUNT", len(others), "OF", len({row["entry"] for row in rows}))
"""


def add(play: Play, code: str) -> Seen:
    return play.call("add_and_execute_code_cell", code=code)


def edit(play: Play, code: str) -> Seen:
    return play.call("edit_and_execute_current_cell", code=code)


def shell(play: Play, command: str) -> str:
    return play.call("execute_shell_command", command=command).text


def counted(play: Play) -> tuple[int, int]:
    """Open the first question. Return its answer and the number of all entries, both counted in the kernel."""
    play.open("train", 0)
    text = add(play, COUNT).text
    found = re.search(r"COUNT (\d+) OF (\d+)", text)
    if not found:
        raise PlayError(f"expenses.csv could not be counted: {text[-600:]}")
    return int(found[1]), int(found[2])


@episode(
    "variables stay from cell to cell", "a cell shows what it printed and its last value",
    "an error is shown and ends nothing", "a plot comes as a PNG image",
)  # fmt: skip
def running(play: Play) -> None:
    """Run four cells in one kernel."""
    play.open("train", 1)
    text = add(play, "kept = 41\nprint(kept * 1001)\n[kept] * 3").text
    held = "41041" in text and "[41, 41, 41]" in text
    play.expect("a cell shows what it printed and its last value", held, text)
    text = add(play, "1 / (kept - 41)").text
    held = "ZeroDivisionError" in text and not play.done
    play.expect("an error is shown and ends nothing", held, text)
    images = add(play, PLOT).images
    held = len(images) == 1 and base64.b64decode(images[0]).startswith(b"\x89PNG")
    play.expect("a plot comes as a PNG image", held, f"{len(images)} images")
    text = add(play, "print(kept * 2 + 1000)").text
    play.expect("variables stay from cell to cell", "1082" in text, text)
    play.close()


@episode(
    "editing without a cell runs nothing", "editing replaces the last cell",
    "what a replaced cell did stays done", "showing the notebook runs nothing",
)  # fmt: skip
def editing(play: Play) -> None:
    """Run two cells, and edit the second cell."""
    play.open("train", 1)
    edit(play, "early = 1")
    text = add(play, "runs = 0\nprint('early' in globals())").text
    play.expect("editing without a cell runs nothing", "False" in text, text)
    add(play, "runs += 1\nprint(runs + 5500)")
    text = edit(play, "runs += 10\nprint(runs + 7700)").text
    play.expect("what a replaced cell did stays done", "7711" in text, text)
    texts = [play.call("get_notebook_state").text for _ in range(2)]
    shown = "runs += 10" in texts[1] and "7711" in texts[1] and "runs = 0" in texts[1]
    replaced = "runs += 1\n" not in texts[1] and "5501" not in texts[1]
    play.expect("editing replaces the last cell", shown and replaced, texts[1])
    text = add(play, "print(runs + 8800)").text
    play.expect("showing the notebook runs nothing", "8811" in text, text)
    play.close()


@episode("commands and cells share the working directory", "each command has a new shell")
def commands(play: Play) -> None:
    """Read a file that a cell has written, and check that a shell's state is lost after the command."""
    play.open("train", 0)
    add(play, "open('note.txt', 'w').write('seen ' * 2)")
    text = shell(play, "cat note.txt; ls")
    held = "seen seen" in text and "expenses.csv" in text
    play.expect("commands and cells share the working directory", held, text)
    shell(play, "X=set; cd /; echo $((7 * 191))")
    text = shell(play, "echo [$X]; ls")
    play.expect("each command has a new shell", "[]" in text and "note.txt" in text, text)
    play.close()


@episode("the right answer pays 1 and ends it", "spaces around the answer do not matter")
def right(play: Play) -> None:
    """Answer with the number that was counted in the notebook from the actual files."""
    name = "the right answer pays 1 and ends it"
    for form in ("{}", "  {} "):
        answer, entries = counted(play)
        play.expect(name, 0 < answer < entries, f"{answer} of {entries} are not of Sales")
        play.call("final_answer", answer=form.format(answer))
        ended = play.done
        paid = play.close().returned
        held, found = ended and paid == 1.0, f"{answer}: ended: {ended}, it paid {paid}"
        if form == "{}":
            play.expect(name, held, found)
        play.expect("spaces around the answer do not matter", held, found)


@episode("a wrong answer pays 0 and ends it", "no answer pays 0")
def wrong(play: Play) -> None:
    """Answer with the right number plus one and with the count of all entries, and then stop without an answer."""
    answer, entries = counted(play)
    for given in (answer + 1, entries):
        play.open("train", 0)
        play.call("final_answer", answer=str(given))
        ended = play.done
        paid = play.close().returned
        held = ended and paid == 0.0
        play.expect("a wrong answer pays 0 and ends it", held, f"ended: {ended}, it paid {paid}")
    counted(play)
    paid = play.close().returned
    play.expect("no answer pays 0", paid == 0.0, f"it paid {paid}")


@episode("episodes share neither variables nor files")
def apart(play: Play) -> None:
    """Leave a variable and a file behind in one episode, and look for them in the next episode."""
    play.open("train", 0)
    add(play, "left_behind = 1\nopen('left.txt', 'w').write('x')")
    play.close()
    play.open("train", 0)
    look = "import os\nprint('left_behind' in globals(), os.path.exists('left.txt'))"
    text = add(play, look).text
    play.expect("episodes share neither variables nor files", "False False" in text, text)
    play.close()


@episode("each split has five questions or more", "the first question is the one asked for")
def questions(play: Play) -> None:
    """Open the first five questions of both splits."""
    read = []
    for split in ("train", "test"):
        for index in range(5):
            read.append(play.open(split, index).text)
            play.close()
    play.expect("each split has five questions or more", len(set(read)) == 10, read)
    held = "Sales" in read[0] and "expenses.csv" in read[0]
    play.expect("the first question is the one asked for", held, read[0])
