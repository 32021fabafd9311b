"""Dialogues in which events are added one by one, each with a wish; the last one is to be answered."""

import json
import random

EVENTS = (
    "a call with Lima",
    "lunch",
    "a walk",
    "the weekly review",
    "a visit to the bank",
    "yoga",
    "a talk",
)


def clock(minutes: int) -> str:
    """Minutes from midnight as 10:30."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def shown(calendar: list[dict]) -> str:
    """A calendar as the assistant writes it."""
    return f"```json\n{json.dumps(calendar)}\n```"


def dialogue(split: str, number: int, count: int) -> dict:
    """A dialogue about ``count`` events; a day that fulfils it is drawn first."""
    rng = random.Random(f"{split}/{number}")
    names, at, planned = rng.sample(EVENTS, count), 600, []
    for _ in range(count):
        start, length = at + 15 * rng.randint(0, 2), 15 * rng.randint(1, 3)
        planned.append((start, length))
        at = start + length
    order = rng.sample(range(count), count)
    said, wishes, calendar = [], [], []
    for event, place in enumerate(order, 1):
        start, length = planned[place]
        kind = rng.choice(["from", "until"])
        time = clock(
            start - 15
            if kind == "from" and start > 600
            else start
            if kind == "from"
            else start + length
        )
        wishes.append({"event": event, "kind": kind, "time": time})
        when = f"not before {time}" if kind == "from" else f"over by {time}"
        said.append(f"Please add event {event}, {names[event - 1]}, {length} minutes, {when}.")
        calendar = [*calendar, {"event": event, "start": clock(start), "minutes": length}]
        said.append(shown(calendar))
    talk = [
        {"role": "user" if at % 2 == 0 else "assistant", "content": text}
        for at, text in enumerate(said[:-2])
    ]
    lengths = {str(event): planned[place][1] for event, place in enumerate(order, 1)}
    known = {"id": f"{split}-{number:02}", "seed": number, "talk": talk, "request": said[-2]}
    return {**known, "wishes": wishes, "lengths": lengths}


TASKS = {
    "train": [dialogue("train", n, 3 + n % 4) for n in range(24)],
    "test": [dialogue("test", n, 3 + n % 4) for n in range(12)],
}
