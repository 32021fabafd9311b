"""Requests, each with the functions it is offered and the calls it needs."""

import random

CITIES = {
    "train": ["Oslo", "Lima", "Quito", "Turin", "Accra", "Kyoto", "Perth", "Sofia"],
    "test": ["Bern", "Doha", "Cairo", "Delhi", "Hanoi", "Minsk", "Osaka", "Tunis"],
}


def function(name: str, description: str, required: int = 9, **fields: dict) -> dict:
    """A function as models see it; the first ``required`` arguments are."""
    return {
        "name": name,
        "description": description,
        "parameters": {
            "type": "object",
            "properties": fields,
            "required": list(fields)[:required],
            "additionalProperties": False,
        },
    }


TEXT = {"type": "string", "description": "Its name."}
WEATHER = function(
    "get_weather",
    "The weather of a city today.",
    1,
    city=TEXT,
    unit={"type": "string", "enum": ["celsius", "fahrenheit"], "description": "Of temperatures."},
)
ROUTE = function("find-route", "A route between two cities.", start=TEXT, end=TEXT)
BOOK = function(
    "Hotel_book",
    "Book rooms in a city.",
    city=TEXT,
    stay={
        "type": "object",
        "description": "When and how many.",
        "properties": {
            "nights": {"type": "integer", "minimum": 1, "description": "Nights."},
            "rooms": {"type": "integer", "minimum": 1, "description": "Rooms."},
        },
        "required": ["nights", "rooms"],
        "additionalProperties": False,
    },
)
CONVERT = function(
    "convert",
    "Convert an amount of money.",
    amount={"type": "number", "description": "How much."},
    to={"type": "string", "description": "A currency."},
)


def request(split: str, number: int, seed: int) -> dict:
    """One request of the kind whose turn it is."""
    rng = random.Random(f"{split}/{seed}")
    a, b, c = rng.sample(CITIES[split], 3)
    nights, rooms, amount = rng.randint(1, 9), rng.randint(1, 4), 10 * rng.randint(1, 99)
    amount += split == "test"  # no amount in both splits
    kinds = [
        (f"How warm is it in {a} and in {b}?", [WEATHER, ROUTE], [call(WEATHER, a), call(WEATHER, b)]),
        (f"Book {rooms} rooms for {nights} nights in {c}.", [BOOK, WEATHER],
         [call(BOOK, c, {"nights": nights, "rooms": rooms})]),
        (f"How do I get from {a} to {c}, and what is the weather there in fahrenheit?",
         [ROUTE, WEATHER, CONVERT], [call(ROUTE, a, c), call(WEATHER, c, "fahrenheit")]),
        (f"What are {amount} euros in yen?", [CONVERT, BOOK], [call(CONVERT, amount, "yen")]),
        (f"Who is the mayor of {b}?", [WEATHER, ROUTE], []),
    ]  # fmt: skip
    asked, functions, calls = kinds[number % len(kinds)]
    names = {"id": f"{split}-{number:02}", "seed": seed}
    names["earlier"] = asked_before(b, functions) if number % 2 else []
    return {**names, "request": asked, "functions": functions, "calls": calls}


def asked_before(city: str, functions: list[dict]) -> list[dict]:
    """An earlier request with its call, the result and the answer, if weather is on offer."""
    if WEATHER not in functions:
        return [
            {"role": "user", "content": "Good morning!"},
            {"role": "assistant", "content": "Good morning. How can I help?"},
        ]
    made = {"name": WEATHER["name"], "arguments": {"city": city}}
    return [
        {"role": "user", "content": f"Is it cold in {city}?"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "call_0", "function": made}]},
        {"role": "tool", "tool_call_id": "call_0", "content": "4 degrees"},
        {"role": "assistant", "content": f"It has 4 degrees in {city}, so yes."},
    ]


def call(offered: dict, *values: object) -> dict:
    """A call with values for the first arguments."""
    names = list(offered["parameters"]["properties"])
    return {"name": offered["name"], "arguments": dict(zip(names, values, strict=False))}


TASKS = {
    "train": [request("train", n, n) for n in range(25)],
    "test": [request("test", n, 1000 + n) for n in range(10)],
}
