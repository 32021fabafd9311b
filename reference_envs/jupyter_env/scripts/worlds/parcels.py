"""Tracked parcels: nested records with events."""

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from statistics import median

from .question import Question, World, rounded, top, totals

DEPOTS = {
    "train": "Antwerp Basel Cologne Dijon Essen Freiburg Geneva",
    "test": "Ostrava Poznan Riga Szeged Tartu Udine Vilnius",
}
SERVICES = ("express", "standard", "economy")
SPLITS = {
    "train": (51, datetime(2024, 5, 6, tzinfo=UTC)),
    "test": (52, datetime(2024, 11, 4, tzinfo=UTC)),
}
GRAMS = {"kg": 1000, "g": 1, "lb": Fraction("453.59237")}
PAGE = """\
# Parcels

`parcels.json` is a list of parcels, each with: id, service, price_eur, weight and events.

- weight is null where it is not known, or has a value and a unit: kg, g or lb (1 lb is
  0.45359237 kg).
- events are in no particular order. Each has a type, a time and a place. The types are collected,
  arrived and left (at and from a depot, the place) and delivered.
- A time is either in UTC, 2024-05-06T10:00:00Z, or has an offset, 2024-05-06T12:00:00+02:00, which
  is the same time.
- Some events were recorded twice and are exactly the same: they are one event.
- A parcel without an event delivered is still on its way; it may stand in a depot that it arrived
  at and has not left.
"""


@dataclass(frozen=True)
class Parcel:
    number: str
    service: str
    cents: int
    grams: Fraction | None
    shown: dict | None
    events: tuple[tuple[str, datetime, str], ...]

    @property
    def delivered(self) -> datetime | None:
        return self.events[-1][1] if self.events[-1][0] == "delivered" else None

    @property
    def transit(self) -> timedelta:
        return self.delivered - self.events[0][1]


def make(split: str) -> World:
    """The world of one split."""
    seed, start = SPLITS[split]
    rng = random.Random(seed)
    depots = DEPOTS[split].split()
    rng.shuffle(depots)
    parcels = [_parcel(rng, number, start, depots) for number in range(185)]
    records = [_record(rng, each) for each in parcels]
    rng.shuffle(records)
    lines = ",\n".join(json.dumps(each) for each in records)
    ask = {"train": _train, "test": _test}[split]
    return World("parcels", {"parcels.json": f"[\n{lines}\n]\n".encode()}, PAGE, ask(parcels))


def _parcel(rng: random.Random, number: int, start: datetime, depots: list[str]) -> Parcel:
    service = rng.choices(SERVICES, (3, 5, 4))[0]
    slow = {"express": 1.0, "standard": 1.8, "economy": 3.1}[service]
    at = start + timedelta(minutes=rng.randrange(12 * 1440))
    events = [("collected", at, "")]
    for depot in rng.sample(depots, rng.choice((1, 2, 2, 3))):
        at += timedelta(minutes=round(rng.uniform(150, 600) * slow))
        events.append(("arrived", at, depot))
        wait = rng.expovariate(1 / (60 + 45 * depots.index(depot)))
        at += timedelta(minutes=10 + round(wait * slow))
        events.append(("left", at, depot))
    at += timedelta(minutes=round(rng.uniform(60, 400) * slow))
    events.append(("delivered", at, ""))
    if rng.random() < 0.14:
        events = events[: rng.randrange(1, len(events))]
    shown, grams = None, None
    if rng.random() > 0.05:
        unit = rng.choices(list(GRAMS), (6, 3, 2))[0]
        grams = Fraction(round(rng.lognormvariate(7.6, 0.9)))
        value = round(float(grams / GRAMS[unit]), {"kg": 3, "g": 0, "lb": 2}[unit])
        grams = Fraction(str(value)) * GRAMS[unit]
        shown = {"value": int(value) if unit == "g" else value, "unit": unit}
    cents = round((390 + float(grams or 900) * 0.11) / slow**0.5) + rng.randrange(40)
    return Parcel(
        f"P{rng.randrange(10**5):05}-{number:03}", service, cents, grams, shown, tuple(events)
    )


def _record(rng: random.Random, each: Parcel) -> dict:
    events = [_event(rng, *event) for event in each.events]
    events += rng.sample(events, rng.choice((0, 0, 0, 1)))
    rng.shuffle(events)
    price = each.cents / 100
    return {
        "id": each.number,
        "service": each.service,
        "price_eur": price,
        "weight": each.shown,
        "events": events,
    }


def _event(rng: random.Random, kind: str, at: datetime, place: str) -> dict:
    time = f"{at:%Y-%m-%dT%H:%M:%S}Z"
    if rng.random() < 0.4:
        time = f"{at + timedelta(hours=2):%Y-%m-%dT%H:%M:%S}+02:00"
    return {"type": kind, "time": time, **({"place": place} if place else {})}


def _waits(parcels: list[Parcel]) -> dict[str, Fraction]:
    """Mean seconds between arriving at and leaving each depot."""
    found: dict[str, list[int]] = {}
    for each in parcels:
        arrived = {place: at for kind, at, place in each.events if kind == "arrived"}
        for kind, at, place in each.events:
            if kind == "left":
                found.setdefault(place, []).append((at - arrived[place]) // timedelta(seconds=1))
    return {place: Fraction(sum(part), len(part)) for place, part in found.items()}


def _train(parcels: list[Parcel]) -> list[Question]:
    economy = sum(each.grams for each in parcels if each.service == "economy" and each.grams)
    express = [each.transit for each in parcels if each.service == "express" and each.delivered]
    waiting = {each.number: each.grams for each in parcels if not each.delivered and each.grams}
    return [
        Question(
            "price_of_all",
            "easy",
            "number",
            "What is the price of all parcels together, in euros? Give two decimals.",
            rounded(Fraction(sum(each.cents for each in parcels), 100), 2),
            {},
            "0.001",
            "EUR",
        ),
        Question(
            "weight_of_service",
            "medium",
            "number",
            "What do the parcels with the service economy weigh together, in kilograms? Round to "
            "two decimals.",
            rounded(Fraction(economy, 1000), 2),
            {"service": "economy"},
            "0.01",
            "kg",
        ),
        Question(
            "transit_hours",
            "hard",
            "number",
            "How many hours pass on average between collected and delivered, over the delivered "
            "parcels with the service express? Round to two decimals.",
            rounded(
                Fraction(sum(express, timedelta()) // timedelta(seconds=1), 3600 * len(express)), 2
            ),
            {"service": "express"},
            "0.01",
            "h",
        ),
        Question(
            "heaviest_waiting",
            "medium",
            "text",
            "Which parcel is the heaviest of those that were not delivered? Give its id.",
            top(waiting, 1)[0],
        ),
        Question(
            "top_waits",
            "hard",
            "list",
            "In which three depots do parcels wait longest on average, from arrived to left? Leave "
            "out parcels that have not left. List the depots, longest first.",
            top(_waits(parcels), 3),
        ),
    ]


def _test(parcels: list[Parcel]) -> list[Question]:
    prices = [Fraction(each.cents, 100) for each in parcels if each.service == "standard"]
    days = totals((each.delivered.date().isoformat(), 1) for each in parcels if each.delivered)
    late = [each for each in parcels if each.delivered and each.transit > timedelta(hours=24)]
    routes = totals(
        (f"{one}, {other}", 1)
        for each in parcels
        for stops in [[place for kind, _, place in each.events if kind == "arrived"]]
        for one, other in pairwise(stops)
    )
    return [
        Question(
            "median_price",
            "easy",
            "number",
            "What is the median price of the parcels with the service standard, in euros? Round to "
            "two decimals.",
            rounded(median(prices), 2),
            {"service": "standard"},
            "0.01",
            "EUR",
        ),
        Question(
            "busiest_day",
            "medium",
            "date",
            "On which date, in UTC, were most parcels delivered?",
            top(days, 1)[0],
        ),
        Question(
            "common_leg",
            "hard",
            "list",
            "From which depot to which next depot did most parcels go? A parcel goes from one depot "
            "to the next when it arrives there. List the two depots, the first one first.",
            top(routes, 1)[0].split(", "),
        ),
        Question(
            "price_of_late",
            "medium",
            "number",
            "What is the price of all parcels together that were delivered more than 24 hours after "
            "they were collected, in euros? Give two decimals.",
            rounded(Fraction(sum(each.cents for each in late), 100), 2),
            {"hours": 24},
            "0.001",
            "EUR",
        ),
        Question(
            "price_per_kilogram",
            "hard",
            "number",
            "For the delivered parcels of known weight: what is the sum of the prices in euros "
            "divided by the sum of the weights in kilograms? Round to three decimals.",
            rounded(
                Fraction(sum(e.cents for e in parcels if e.delivered and e.grams), 100)
                / Fraction(sum(e.grams for e in parcels if e.delivered and e.grams), 1000),
                3,
            ),
            {},
            "0.001",
            "EUR",
        ),
    ]
