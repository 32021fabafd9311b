"""Twelve handwritten tasks of one kind: how many entries in a list of expenses do not belong to a department?"""

import random

DEPARTMENTS = ["Sales", "Legal", "Design", "People", "Research", "Support"]
NOTE = """expenses.csv has one line per expense: entry, department, amount.
Departments are typed in upper or lower case, with spaces around them.
Some lines were entered twice, with the same entry number: they are one expense.
"""


def task(split, index):
    """Return a task's files, its question, and the answer."""
    rng = random.Random(f"{split} {index}")
    asked = DEPARTMENTS[index % 6]
    entries = {f"E{1000 + n}": rng.choice(DEPARTMENTS) for n in range(80 + 7 * index)}
    lines = [f"{entry},{typed(rng, name)},{rng.randint(1, 900)}" for entry, name in entries.items()]
    lines += rng.sample(lines, 9)
    rng.shuffle(lines)
    files = {"expenses.csv": "\n".join(["entry,department,amount", *lines]), "expenses.md": NOTE}
    question = f"How many different entries in expenses.csv have another department than {asked}?"
    if split == "test":
        question += " Read the note first."
    return files, question, sum(name != asked for name in entries.values())


def typed(rng, name):
    """Return a name in random case with random spaces around it, as people type names."""
    form = rng.choice([name, name.upper(), name.lower()])
    return rng.choice(["", " "]) + form + rng.choice(["", "  "])
