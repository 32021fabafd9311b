"""Playlists from a small catalogue; any list that keeps the rules is right."""
import re
from collections import Counter
from itertools import pairwise

LINE = re.compile(r"^[ \t]*Playlist:(.*)$", re.M | re.I)
TRACK = re.compile(r"T[0-9]{2}")


def seconds(length):
    minutes, secs = length.split(":")
    return 60 * int(minutes) + int(secs)


def read_ids(text):
    """Track ids of the last 'Playlist:' line, or None if it is malformed."""
    lines = LINE.findall(text)
    if not lines:
        return None
    body = lines[-1].strip().rstrip(".")
    ids = [part.strip().upper() for part in body.split(",")]
    if not all(TRACK.fullmatch(i) for i in ids):
        return None
    return ids


def genre_ok(ids, by_id, opener, max_genre):
    genres = [by_id[i]["genre"] for i in ids]
    if genres[0] != opener:
        return False
    return max(Counter(genres).values()) <= max_genre


def flow_ok(tracks, low, high):
    """Total length within the bounds, no artist twice in a row."""
    total = sum(seconds(t["length"]) for t in tracks)
    if not seconds(low) <= total <= seconds(high):
        return False
    return all(a["artist"] != b["artist"] for a, b in pairwise(tracks))


def reward(completion, catalogue, size, low, high, opener, max_genre, **row):
    ids = read_ids(completion)
    if ids is None or len(ids) != size or len(set(ids)) != size:
        return 0.0
    by_id = {track["id"]: track for track in catalogue}
    if any(i not in by_id for i in ids):
        return 0.0
    if not genre_ok(ids, by_id, opener, max_genre):
        return 0.0
    tracks = map(by_id.get, ids)
    return 1.0 if flow_ok(tracks, low, high) else 0.0
