"""Make the tasks of both splits, the same bytes each time: python scripts/make_tasks.py"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from documents import ORDER_PAGE, sheet
from words import BROWSER, EDITOR, WORDS

TASKS = Path(__file__).resolve().parent.parent / "tasks"
HOME = "/home/user"

Task = dict[str, Any]


def main() -> None:
    """Write both splits."""
    TASKS.mkdir(exist_ok=True)
    for split, words in WORDS.items():
        chance = random.Random(f"desktop {split}")
        made = [*easy(words, chance), *middle(words, chance), *hard(words, chance)]
        # The first tasks of a split are what a quick check plays: one of each kind comes first.
        firsts = {task["goal"]["name"]: task for task in reversed(made)}.values()
        ordered = [*reversed(firsts), *(task for task in made if task not in firsts)]
        lines = [json.dumps({"id": f"{split}-{n:02}", **task}) for n, task in enumerate(ordered)]
        (TASKS / f"{split}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def task(
    level: int,
    instruction: str,
    programs: list[list[str]],
    goal: Task,
    files: dict[str, str] | None = None,
    **more: Any,
) -> Task:
    """One task; `goal` says what is looked at in the end."""
    told = {"level": level, "instruction": instruction, "programs": programs}
    return {**told, "files": files or {}, "outputs": {}, "answer": None, "goal": goal, **more}


def easy(words: dict[str, list], chance: random.Random) -> Iterator[Task]:
    """One program, one thing to do."""
    for line in words["lines"]:
        before = "Things to do\n\nPay the gas bill.\n"
        wanted = f"Things to do\n\nPay the gas bill.\n{line}\n"
        yield task(
            1,
            f'The file todo.txt is open in the text editor. Add the line "{line}" at its end, '
            "change nothing else, and save the file.",
            [[*EDITOR, "todo.txt"]],
            {"name": "add", "kind": "text", "path": "todo.txt", "text": wanted}
            | {"changes": ["todo.txt"]},
            {"todo.txt": before},
        )
    windows = {"galculator": "the calculator", "plan.txt": "the text editor"}
    for title, what in windows.items():
        kept = [other for other in windows if other != title]
        yield task(
            1,
            f"Two programs are open. Close the window of {what}, and leave the other one open.",
            [["galculator"], [*EDITOR, "plan.txt"]],
            {"name": "close", "kind": "closed", "title": title, "kept": kept},
            {"plan.txt": f"Meet {words['names'][0]} at noon.\n"},
        )
    asks = {"maximized": "as large as the screen (maximize it)", "minimized": "minimized"}
    for place, said in asks.items():
        yield task(
            1,
            f"Make the window of the text editor {said}. Leave the calculator as it is.",
            [["galculator"], [*EDITOR, "plan.txt"]],
            {"name": place, "kind": "placed", "title": "plan.txt", "place": place},
            {"plan.txt": f"Meet {words['names'][1]} at nine.\n"},
        )
    title, what, program = words["dragged"]
    for place in ("top left", "bottom"):
        where = "into the top left corner" if place == "top left" else "down to the bottom edge"
        yield task(
            1,
            f"Drag the window of {what} {where} of the screen.",
            [program],
            {"name": f"drag {place}", "kind": "placed", "title": title, "place": place},
        )
    volume = chance.choice([*range(5, 50, 5), *range(55, 100, 5)])
    dialog = ["zenity", "--scale", "--title=Volume", "--text=Volume of the speakers"]
    dialog += ["--value=50", "--step=5"]
    yield task(
        1,
        f"Set the volume in the dialog to {volume} and press OK.",
        [dialog],
        {"name": "scale", "kind": "dialog", "path": ".volume", "text": str(volume)},
        outputs={"0": ".volume"},
    )
    name = chance.choice(words["names"])
    dialog = [
        "zenity",
        "--entry",
        "--title=Badge",
        "--text=Name on the badge",
        "--entry-text=Guest",
    ]
    yield task(
        1,
        f"The dialog asks for the name on a badge. Let it be {name}, and press OK.",
        [dialog],
        {"name": "entry", "kind": "dialog", "path": ".badge", "text": name},
        outputs={"0": ".badge"},
    )


def middle(words: dict[str, list], chance: random.Random) -> Iterator[Task]:
    """Several steps in one program."""
    for old, new in words["swap"]:
        before = (
            f"The first {old} is here.\nNo word in this line.\nAnother {old}, and one {old} more.\n"
        )
        yield task(
            2,
            f'The file draft.txt is open in the text editor. Replace "{old}" by "{new}" wherever '
            "it stands, and save the file.",
            [[*EDITOR, "draft.txt"]],
            {"name": "replace", "kind": "text", "path": "draft.txt"}
            | {"text": before.replace(old, new), "changes": ["draft.txt"]},
            {"draft.txt": before},
        )
    rows = _budget(words, chance)
    book, row = sheet(rows), chance.randint(1, len(rows) - 1)
    value = str(chance.randint(100, 999))
    yield task(
        2,
        f'The spreadsheet budget.gnumeric is open. Change the amount of "{rows[row][0]}" to {value}, '
        "and save it in the same format.",
        [["gnumeric", "budget.gnumeric"]],
        {"name": "cell", "kind": "cell", "path": "budget.gnumeric", "cell": [row, 1]}
        | {"value": value, "before": book, "changes": ["budget.gnumeric"]},
        {"budget.gnumeric": book},
    )
    for name, folder in zip(words["files"], words["folders"], strict=True):
        text = f"This is {name}.\n"
        yield task(
            2,
            f"The file manager shows your files. Move {name} into the folder {folder}.",
            [["pcmanfm", HOME]],
            {"name": "move", "kind": "moved", "from": name, "to": f"{folder}/{name}"}
            | {"text": text, "changes": [name]},
            {name: text, f"{folder}/keep.txt": "Keep this.\n"},
        )
    name = words["files"][0]
    new = name.replace(".txt", "-2026.txt")
    yield task(
        2,
        f"The file manager shows your files. Rename {name} to {new}.",
        [["pcmanfm", HOME]],
        {"name": "rename", "kind": "moved", "from": name, "to": new, "text": "Numbers.\n"}
        | {"changes": [name]},
        {name: "Numbers.\n"},
    )
    for wish, setting in (
        ("shows line numbers", "show-line-numbers"),
        ("wraps long lines at words", "word-wrap"),
    ):
        yield task(
            2,
            f"Set up the text editor so that it {wish}. Change no file.",
            [[*EDITOR, "story.txt"]],
            {"name": setting, "kind": "setting", "section": "org/xfce/mousepad/preferences/view"}
            | {"value": "true"},
            {
                "story.txt": f"Once upon a time {words['names'][0]} wrote a very long line. " * 3
                + "\n"
            },
        )
    fields = _fields(words, chance)
    gift = "It is a gift." if "gift" in fields else "It is no gift."
    yield task(
        2,
        f"The browser shows an order form. Order {fields['quantity']} pieces in {fields['colour']} "
        f"for {fields['name']}. {gift} Send the order.",
        [[*BROWSER, f"{HOME}/order.html"]],
        {"name": "form", "kind": "form", "path": "Downloads/order.json", "fields": fields},
        {"order.html": ORDER_PAGE},
    )


def hard(words: dict[str, list], chance: random.Random) -> Iterator[Task]:
    """Something has to be read, found or computed first: the answer is hidden."""
    for _ in range(2):
        rows = [*_budget(words, chance), ("total", "")]
        book, place = sheet(rows), [len(rows) - 1, 1]
        total = sum(int(amount) for _, amount in rows[1:-1])
        yield task(
            3,
            "The spreadsheet costs.gnumeric is open. Its last row is for the total of the amounts: "
            "write it there as a number, not as a formula, and save it in the same format.",
            [["gnumeric", "costs.gnumeric"]],
            {"name": "total", "kind": "cell", "path": "costs.gnumeric", "cell": place}
            | {"before": book, "changes": ["costs.gnumeric"]},
            {"costs.gnumeric": book},
            answer=str(total),
        )
    for code in words["codes"]:
        yield task(
            3,
            "The picture shows a label with a code. The text editor has the empty file code.txt "
            "open: write the code into it, and save it.",
            [["gpicview", "label.png"], [*EDITOR, "code.txt"]],
            {"name": "label", "kind": "text", "path": "code.txt", "changes": ["code.txt"]},
            {"code.txt": ""},
            answer=code,
            picture="label.png",
        )
    fields = _fields(words, chance)
    note = (
        f"Hello! Please order for {fields['name']}: {fields['quantity']} pieces, and let them be "
        f"{fields['colour']}.\n"
        + ("Wrap them up, it is a gift.\n" if "gift" in fields else "No gift wrap needed.\n")
    )
    yield task(
        3,
        "The text editor shows a note with an order, and the browser an order form. Fill in the form "
        "as the note says, and send the order.",
        [[*EDITOR, "note.txt"], [*BROWSER, f"{HOME}/order.html"]],
        {"name": "order", "kind": "form", "path": "Downloads/order.json"},
        {"order.html": ORDER_PAGE, "note.txt": note},
        answer=json.dumps(fields),
    )
    for _ in range(2):
        a, b = chance.randint(113, 987), chance.randint(113, 987)
        yield task(
            3,
            f"How much is {a} times {b}? A calculator and the empty file result.txt are open: write "
            "the number into the file, with digits alone, and save it.",
            [["galculator"], [*EDITOR, "result.txt"]],
            {"name": "product", "kind": "text", "path": "result.txt", "changes": ["result.txt"]},
            {"result.txt": ""},
            answer=str(a * b),
        )


def _budget(words: dict[str, list], chance: random.Random) -> list[tuple[str, str]]:
    return [("item", "amount"), *((item, str(chance.randint(20, 980))) for item in words["items"])]


def _fields(words: dict[str, list], chance: random.Random) -> dict[str, str]:
    fields = {"name": chance.choice(words["names"]), "quantity": str(chance.randint(2, 40))}
    gift = {"gift": "yes"} if chance.random() < 0.5 else {}
    return {**fields, "colour": chance.choice(words["colours"]), **gift}


if __name__ == "__main__":
    main()
