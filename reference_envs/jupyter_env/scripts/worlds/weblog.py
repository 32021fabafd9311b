"""The access log of a web server."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import pairwise

from .question import Question, World, rounded, top, totals

ZONES = (UTC, timezone(timedelta(hours=2)), timezone(timedelta(hours=-5)))
SPLITS = {
    "train": (144, datetime(2024, 3, 4, tzinfo=UTC)),
    "test": (43, datetime(2024, 10, 7, tzinfo=UTC)),
}
PATHS = {
    "train": "/ /about /pricing /blog/kernels /blog/rewards /docs/start /static/app.js /static/site.css "
    "/api/search /api/items",
    "test": "/ /team /offers /news/spring /news/autumn /help/returns /static/main.js /static/look.css "
    "/api/find /api/cart",
}
SESSION = timedelta(minutes=30)

PAGE = """\
# Access log

Each line of `access.log` is one request:

    ADDRESS - - [TIME] "METHOD PATH HTTP/1.1" STATUS BYTES "AGENT" SECONDS

- TIME has the offset of the server's zone, which differs between lines: 04/Mar/2024:10:00:00 +0200
  is 08:00:00 UTC. The lines are in order of time.
- BYTES is - when nothing was sent: 0 bytes.
- SECONDS is how long the request took.
- PATH may have a query (from the question mark on), which is not a part of the path.
- Some lines are broken off: they do not end with SECONDS. Leave them out of everything.
"""


@dataclass(frozen=True)
class Request:
    address: str
    at: datetime
    method: str
    path: str
    query: str
    status: int
    sent: int
    millis: int


def make(split: str) -> World:
    """The world of one split."""
    seed, start = SPLITS[split]
    rng = random.Random(seed)
    places = [_address(rng) for _ in range(46)]
    requests = sorted(
        [_request(rng, split, start, places) for _ in range(720)] + _attacks(rng, start, places),
        key=lambda each: each.at,
    )
    lines, whole = [], []
    for each in requests:
        line = _line(rng, each)
        if rng.random() < 0.03:
            line = line[: rng.randrange(20, line.rindex('"'))]
        else:
            whole.append(each)
        lines.append(line)
    files = {"access.log": "\n".join([*lines, ""]).encode()}
    ask = {"train": _train, "test": _test}[split]
    return World("weblog", files, PAGE, ask(whole))


def _address(rng: random.Random) -> str:
    return f"{rng.choice((10, 172, 192))}.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"


def _request(rng: random.Random, split: str, start: datetime, places: list[str]) -> Request:
    hour = int(min(max(rng.gauss(13, 4), 0), 23))
    day = rng.randrange(3)
    at = start + timedelta(days=day, hours=hour, seconds=rng.randrange(3600))
    path = rng.choices(PATHS[split].split(), (11, 3, 4, 5, 4, 6, 9, 8, 14, 5))[0]
    query = f"?q={rng.randrange(100)}" if path.startswith("/api") and rng.random() < 0.6 else ""
    failing = 0.6 if (day, hour) == (1, 16) else 0.09 if path.startswith("/api") else 0.02
    status = 500 + rng.choice((0, 2, 3)) if rng.random() < failing else 200
    if status == 200 and rng.random() < 0.16:
        status = rng.choice((304, 404, 404))
        path = f"/old/{rng.randrange(60)}" if status == 404 else path
    method = "POST" if path.startswith("/api") and rng.random() < 0.55 else "GET"
    sent = 0 if status == 304 else round(rng.lognormvariate(8.3, 1))
    place = places[min(int(rng.expovariate(1 / 14)), len(places) - 1)]
    return Request(place, at, method, path, query, status, sent, round(rng.lognormvariate(4, 1)))


def _attacks(rng: random.Random, start: datetime, places: list[str]) -> list[Request]:
    """Failed logins: a few guesses from many addresses, and three that try again and again."""
    found = []
    for place, times, gap in [*((p, 2, 400) for p in rng.sample(places[:20], 12)),
                              *((p, 9, 5) for p in rng.sample(places[20:], 3)),
                              *((p, 9, 70) for p in rng.sample(places[:20], 2))]:  # fmt: skip
        at = start + timedelta(seconds=rng.randrange(3 * 86_400 - 4000))
        for _ in range(times):
            at += timedelta(seconds=rng.randrange(gap - gap // 4, gap + 2))
            millis = rng.randrange(80, 200)
            found.append(Request(place, at, "POST", "/login", "", 401, 312, millis))
    return found


def _line(rng: random.Random, each: Request) -> str:
    local = each.at.astimezone(rng.choice(ZONES))
    agent = rng.choice(("Mozilla/5.0 (X11; Linux)", "Mozilla/5.0 (iPhone)", "curl/8.5", "Feed 2.1"))
    request = f"{each.method} {each.path}{each.query} HTTP/1.1"
    return (
        f'{each.address} - - [{local:%d/%b/%Y:%H:%M:%S %z}] "{request}" {each.status} '
        f'{each.sent or "-"} "{agent}" {each.millis / 1000:.3f}'
    )


def _train(requests: list[Request]) -> list[Question]:
    posts = sorted(r.millis for r in requests if r.method == "POST" and r.status == 200)
    missing = totals((r.address, 1) for r in requests if r.status == 404)
    visits = 0
    for address in {r.address for r in requests}:
        times = [r.at for r in requests if r.address == address]
        visits += 1 + sum(later - earlier > SESSION for earlier, later in pairwise(times))
    static = sum(r.sent for r in requests if r.path.startswith("/static/"))
    return [
        Question(
            "whole_lines",
            "easy",
            "integer",
            "How many requests are in the log, broken lines left out?",
            str(len(requests)),
        ),
        Question(
            "bytes_below",
            "medium",
            "integer",
            "How many bytes were sent for paths that begin with /static/, together?",
            str(static),
            {"prefix": "/static/"},
        ),
        Question(
            "slow_posts",
            "hard",
            "number",
            "What is the 95th percentile of the seconds of POST requests with status 200, by the "
            "nearest-rank method: the smallest value that at least 95% of the values do not "
            "exceed? Give three decimals.",
            rounded(Fraction(posts[-(-95 * len(posts) // 100) - 1], 1000), 3),
            {"method": "POST", "percent": 95},
            "0.0001",
            "s",
        ),
        Question(
            "top_not_found",
            "medium",
            "list",
            "Which two addresses got the most responses with status 404? List them, most first.",
            top(missing, 2),
        ),
        Question(
            "visits",
            "hard",
            "integer",
            "A visit is a series of requests of one address in which no request comes more than 30 "
            "minutes after the one before. How many visits are in the log?",
            str(visits),
        ),
    ]


def _test(requests: list[Request]) -> list[Question]:
    shown = totals((r.path, 1) for r in requests if r.status == 200)
    hours = totals((f"{r.at:%Y-%m-%d %H}", 1) for r in requests if r.status >= 500)
    api = [r for r in requests if r.path.startswith("/api/")]
    failed = sum(r.status >= 500 for r in api)
    bursts = {}
    for address in {r.address for r in requests}:
        times = [r.at for r in requests if r.address == address and r.status == 401]
        for one, fifth in zip(times, times[4:], strict=False):
            if fifth - one <= timedelta(seconds=60):
                bursts.setdefault(address, one)
    return [
        Question(
            "bytes_in_all",
            "easy",
            "integer",
            "How many bytes were sent in all requests together, broken lines left out?",
            str(sum(r.sent for r in requests)),
        ),
        Question(
            "top_paths",
            "medium",
            "list",
            "Which three paths (without their queries) were answered most often with status 200? "
            "List them, most often first.",
            top(shown, 3),
        ),
        Question(
            "worst_hour",
            "hard",
            "text",
            "In which hour, in UTC, were most responses with a status of 500 or above? Give it as "
            "YYYY-MM-DD HH.",
            top(hours, 1)[0],
        ),
        Question(
            "failing_below",
            "medium",
            "number",
            "How many percent of the requests for paths that begin with /api/ had a status of 500 or "
            "above? Round to two decimals.",
            rounded(100 * failed / len(api), 2),
            {"prefix": "/api/"},
            "0.01",
            "%",
        ),
        Question(
            "bursts",
            "hard",
            "list",
            "Which addresses got status 401 at least five times within 60 seconds (from the first "
            "to the fifth at most 60 seconds)? List them in order of the first 401 of their first "
            "such five, earliest first.",
            sorted(bursts, key=bursts.__getitem__),
            {"times": 5, "seconds": 60},
        ),
    ]
