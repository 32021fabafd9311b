"""Daily readings of weather stations, some of which report in Fahrenheit."""

import math
import random
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from statistics import fmean

from .question import Question, World, rounded, top, totals

REGIONS = ("Coast", "Plain", "Hills")
NAMES = {
    "train": "Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Ironwood Juniper Larch Maple",
    "test": "Avocet Bittern Curlew Dunlin Egret Fulmar Godwit Heron Ibis Jackdaw Kestrel Lapwing",
}
SPLITS = {"train": (21, date(2024, 3, 1)), "test": (22, date(2024, 9, 1))}
DAYS = 70

PAGE = """\
# Weather

`stations.csv` has one line per station: code, name, region, elevation_m (metres).
`readings.csv` has the readings, two a day from each station: station (the code), date, hour (6 or
15), temperature, unit, rain_mm (rain since the reading before, in millimetres).

- Some stations report temperature in degrees Fahrenheit: unit is F instead of C. Celsius is
  (F - 32) * 5 / 9.
- A temperature that is missing is empty, NA or -999. The rest of that reading is good.
- Some lines were sent twice and are exactly the same: they are one reading.
- The readings are in no particular order.
"""


@dataclass(frozen=True)
class Station:
    code: str
    name: str
    region: str
    elevation: int
    unit: str


@dataclass(frozen=True)
class Reading:
    station: Station
    day: date
    hour: int
    tenths: int | None
    rain: int

    @property
    def celsius(self) -> Fraction:
        value = Fraction(self.tenths, 10)
        return value if self.station.unit == "C" else (value - 32) * Fraction(5, 9)


def make(split: str) -> World:
    """The world of one split."""
    seed, start = SPLITS[split]
    rng = random.Random(seed)
    stations = [_station(rng, split, n, name) for n, name in enumerate(NAMES[split].split())]
    readings = [
        _reading(rng, station, start, day, hour)
        for station in stations
        for day in range(DAYS)
        for hour in (6, 15)
    ]
    lines = [_line(rng, each) for each in readings]
    lines += rng.sample(lines, 40)
    rng.shuffle(lines)
    table = ["code,name,region,elevation_m"]
    table += [f"{s.code},{s.name},{s.region},{s.elevation}" for s in stations]
    head = "station,date,hour,temperature,unit,rain_mm"
    files = {
        "readings.csv": "\n".join([head, *lines, ""]).encode(),
        "stations.csv": "\n".join([*table, ""]).encode(),
    }
    known = [each for each in readings if each.tenths is not None]
    ask = {"train": _train, "test": _test}[split]
    return World("weather", files, PAGE, ask(readings, known, stations))


def _station(rng: random.Random, split: str, number: int, name: str) -> Station:
    region = REGIONS[number % 3]
    low, high = {"Coast": (2, 60), "Plain": (90, 340), "Hills": (520, 1650)}[region]
    code = f"{'TX' if split == 'train' else 'QB'}{rng.randrange(100, 999)}{number:02}"
    return Station(code, name, region, rng.randint(low, high), "F" if number in (3, 7, 8) else "C")


def _reading(rng: random.Random, station: Station, start: date, day: int, hour: int) -> Reading:
    season = 14 + 5 * math.sin(day / 11) + (5 if hour == 15 else -2)
    celsius = season - 0.0083 * station.elevation + rng.gauss(0, 2.2)
    shown = celsius if station.unit == "C" else celsius * 9 / 5 + 32
    wet = rng.random() < (0.5 if math.sin(day / 3) > 0.2 else 0.12)
    rain = round(rng.expovariate(1 / 40)) if wet else 0
    tenths = None if rng.random() < 0.03 + 0.012 * (station.elevation % 11) else round(shown * 10)
    return Reading(station, start + timedelta(day), hour, tenths, rain)


def _line(rng: random.Random, each: Reading) -> str:
    missing = rng.choice(["", "NA", "-999"])
    shown = missing if each.tenths is None else f"{each.tenths / 10:.1f}"
    unit, rain = each.station.unit, f"{each.rain / 10:.1f}"
    return f"{each.station.code},{each.day},{each.hour},{shown},{unit},{rain}"


def _means(known: list[Reading], stations: list[Station]) -> list[Fraction]:
    temperatures = [[r.celsius for r in known if r.station == station] for station in stations]
    return [sum(part) / len(part) for part in temperatures]


def _train(
    readings: list[Reading], known: list[Reading], stations: list[Station]
) -> list[Question]:
    coast = [each.celsius for each in known if each.station.region == "Coast"]
    heights = [Fraction(station.elevation, 1000) for station in stations]
    means = _means(known, stations)
    x, y = sum(heights) / len(heights), sum(means) / len(means)
    slope = sum((h - x) * (m - y) for h, m in zip(heights, means, strict=True))
    slope /= sum((h - x) ** 2 for h in heights)
    rain = totals((each.day.isoformat(), each.rain) for each in readings)
    by_name: dict[str, list[Fraction]] = {}
    for each in known:
        by_name.setdefault(each.station.name, []).append(each.celsius)
    ranges = {name: max(part) - min(part) for name, part in by_name.items()}
    return [
        Question(
            "usable_readings",
            "easy",
            "integer",
            "How many different readings have a known temperature?",
            str(len(known)),
        ),
        Question(
            "mean_of_region",
            "medium",
            "number",
            "What is the mean temperature of all readings in the region Coast, in degrees "
            "Celsius? Round to two decimals.",
            rounded(sum(coast) / len(coast), 2),
            {"region": "Coast"},
            "0.01",
            "°C",
        ),
        Question(
            "lapse_rate",
            "hard",
            "number",
            "Take each station's mean temperature in degrees Celsius and fit a straight line "
            "(least squares) through the twelve stations: mean temperature against elevation. "
            "What is the slope in degrees Celsius per 1000 metres? Round to two decimals.",
            rounded(slope, 2),
            {},
            "0.01",
        ),
        Question(
            "wettest_day",
            "medium",
            "date",
            "On which date did all stations together report the most rain?",
            top(rain, 1)[0],
        ),
        Question(
            "top_ranges",
            "hard",
            "list",
            "Which three stations have the largest difference between their highest and their "
            "lowest temperature, in degrees Celsius? List their names, largest first.",
            top(ranges, 3),
        ),
    ]


def _test(readings: list[Reading], known: list[Reading], stations: list[Station]) -> list[Question]:
    plain = max(each.celsius for each in known if each.station.region == "Plain")
    high = sum(each.rain for each in readings if each.station.elevation > 500)
    one, other = stations[1], stations[8]
    days = sorted({each.day for each in readings})
    pairs = [(_of_day(known, one, day), _of_day(known, other, day)) for day in days]
    missing = totals((each.station.name, int(each.tenths is None)) for each in readings)
    wet = stations[4]
    rain = [sum(r.rain for r in readings if r.station == wet and r.day == day) for day in days]
    weeks = {days[i].isoformat(): sum(rain[i - 6 : i + 1]) for i in range(6, len(days))}
    return [
        Question(
            "highest_in_region",
            "easy",
            "number",
            "What is the highest temperature in the region Plain, in degrees Celsius? Round to "
            "two decimals.",
            rounded(plain, 2),
            {"region": "Plain"},
            "0.01",
            "°C",
        ),
        Question(
            "rain_above",
            "medium",
            "number",
            "How much rain did all stations above 500 metres report together, in millimetres? "
            "Give one decimal.",
            rounded(Fraction(high, 10), 1),
            {"metres": 500},
            "0.01",
            "mm",
        ),
        Question(
            "correlation",
            "hard",
            "number",
            f"A station's temperature of a day is the mean of its known temperatures of that "
            f"date. What is Pearson's correlation between the temperatures of the day of {one.name} "
            f"and of {other.name}, over the dates on which both have one? Round to three decimals.",
            f"{_pearson([(a, b) for a, b in pairs if a is not None and b is not None]):.3f}",
            {"one": one.name, "other": other.name},
            "0.001",
        ),
        Question(
            "top_missing",
            "medium",
            "list",
            "Which three stations miss the most temperatures? List their names, most first.",
            top(missing, 3),
        ),
        Question(
            "wettest_week",
            "hard",
            "date",
            f"In which seven consecutive dates did {wet.name} report the most rain together? Give "
            "the last of the seven.",
            top(weeks, 1)[0],
            {"name": wet.name},
        ),
    ]


def _of_day(known: list[Reading], station: Station, day: date) -> float | None:
    part = [float(each.celsius) for each in known if each.station == station and each.day == day]
    return fmean(part) if part else None


def _pearson(pairs: list[tuple[float, float]]) -> float:
    x, y = (fmean(column) for column in zip(*pairs, strict=True))
    both = sum((a - x) * (b - y) for a, b in pairs)
    return both / math.sqrt(
        sum((a - x) ** 2 for a, _ in pairs) * sum((b - y) ** 2 for _, b in pairs)
    )
