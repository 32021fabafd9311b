"""Make the data files and the tasks, the same bytes each time.

    python scripts/make_data.py [FOLDER]

writes data/ and tasks/ below FOLDER, by default the environment, and says what it wrote. Answers
are computed from the clean records that the messy files are made of, never from the files. The
worlds' seeds were chosen so that the mess matters to most answers; a world refuses to be made where
a tie would leave an answer open.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from worlds import ledger, parcels, shop, weather, weblog
from worlds.question import Question, World

WORLDS = (ledger, weather, shop, weblog, parcels)
SPLITS = ("train", "test")


def dealt(worlds: list[World]) -> list[tuple[World, Question]]:
    """All questions, each world in turn, with the levels mixed from the start."""
    rounds = range(max(len(world.questions) for world in worlds))
    return [
        (world, world.questions[(turn + place) % len(world.questions)])
        for turn in rounds
        for place, world in enumerate(worlds)
    ]


def task(split: str, number: int, world: World, question: Question) -> dict:
    """One line of tasks/{split}.jsonl."""
    found = {
        "id": f"{split}-{number:02}-{world.name}",
        "level": question.level,
        "kind": question.kind,
        "question": question.text,
        "files": [f"{world.name}.md", *(f"{split}/{name}" for name in world.files)],
        "asks": question.asks,
        "values": question.values,
    }
    if question.tolerance:
        found["tolerance"] = question.tolerance
    if question.unit:
        found["unit"] = question.unit
    return {**found, "answer": question.answer}


def write(folder: Path, split: str) -> list[dict]:
    """The data files and the tasks of one split."""
    worlds = [module.make(split) for module in WORLDS]
    for world in worlds:
        files = {f"{split}/{name}": data for name, data in world.files.items()}
        for name, data in {**files, f"{world.name}.md": world.page.encode()}.items():
            path = folder / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    tasks = [task(split, number, *each) for number, each in enumerate(dealt(worlds))]
    lines = [json.dumps(each, ensure_ascii=False) for each in tasks]
    path = folder / "tasks" / f"{split}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]), "utf-8")
    return tasks


def main(folder: Path) -> None:
    for split in SPLITS:
        tasks = write(folder, split)
        levels = Counter(each["level"] for each in tasks)
        print(f"{split}: {len(tasks)} tasks, {dict(levels)}")
    for path in sorted((folder / "data").rglob("*.*")):
        print(f"{path.relative_to(folder)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
