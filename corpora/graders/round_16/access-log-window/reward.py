"""Questions on web server logs: requests and bytes in a window of time."""
import re
from datetime import datetime, timezone

ENTRY = re.compile(
    r'(?P<host>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] '
    r'"(?P<method>[A-Z]+) (?P<path>\S+) [^"]*" (?P<status>[0-9]{3}) (?P<size>[0-9]+|-)'
)
ANSWER = re.compile(r"^[ \t]*requests[ ]?=[ ]?([0-9][0-9,]*?),?[ ]+bytes[ ]?=[ ]?([0-9][0-9,]*)[ \t]*$", re.M | re.I)
GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15}")
LOG_TIME = "%d/%b/%Y:%H:%M:%S %z"
WINDOW_TIME = "%Y-%m-%d %H:%M:%S"


def as_utc(text, layout):
    return datetime.strptime(text, layout).replace(tzinfo=timezone.utc)


def parse_log(log):
    """One dictionary for each request; lines that are no requests are skipped."""
    entries = []
    for line in log.splitlines():
        match = ENTRY.fullmatch(line.strip())
        if match is None:
            continue
        entries.append({
            "at": as_utc(match["time"], LOG_TIME),
            "method": match["method"],
            "status": match["status"],
            "size": 0 if match["size"] == "-" else int(match["size"]),
        })
    return entries


def selected(entry, start, end, method, status):
    if not start <= entry["at"] < end:
        return False
    if method and entry["method"] != method:
        return False
    return not status or entry["status"][0] == status[0]


def count(log, start, end, method, status):
    lo, hi = as_utc(start, WINDOW_TIME), as_utc(end, WINDOW_TIME)
    chosen = [e for e in parse_log(log) if selected(e, lo, hi, method, status)]
    return len(chosen), sum(e["size"] for e in chosen)


def number(text):
    return int(text.replace(",", "")) if GROUPED.fullmatch(text) else None


def reward(completion, log, start, end, method=None, status=None, **row):
    found = ANSWER.findall(completion.replace("\r\n", "\n"))
    if not found:
        return 0.0
    requests, size = count(log, start, end, method, status)
    got_requests, got_size = map(number, found[-1])
    score = 0.0
    if got_requests == requests:
        score += 0.5
        if got_size == size:
            score += 0.5
    return score
