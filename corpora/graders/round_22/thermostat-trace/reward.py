"""Reward for tracing a heating controller over a list of readings.

The trace is worked out here by running the controller of the row's profile.
"""
import json
import re

LINE = re.compile(r"trace\s*:\s*(.*)", re.IGNORECASE)
STATES = {"on", "off"}
_controllers = {}


def minutes(clock):
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


class Controller:
    """Two-point controller with a day schedule, a frost and a window rule."""

    def __init__(self, profile):
        self.band = profile["band"]
        self.frost = profile["frost"]
        self.periods = sorted((minutes(t), target) for t, target in profile["periods"])
        self.heating = False

    def target(self, clock):
        now = minutes(clock)
        current = self.periods[-1][1]
        for start, value in self.periods:
            if start <= now:
                current = value
        return current

    def step(self, clock, temperature, window_open):
        target = self.target(clock)
        if temperature < self.frost:
            self.heating = True
        elif window_open:
            self.heating = False
        elif temperature <= target - self.band:
            self.heating = True
        elif temperature >= target + self.band:
            self.heating = False
        return "on" if self.heating else "off"

    def trace(self, readings):
        return [self.step(clock, temp, window) for clock, temp, window in readings]


def controller_for(profile):
    key = json.dumps(profile, sort_keys=True)
    if key not in _controllers:
        _controllers[key] = Controller(profile)
    return _controllers[key]


def parse_trace(completion):
    """States on the last "Trace:" line in lower case, or None."""
    found = None
    for raw in completion.split("\n"):
        m = LINE.fullmatch(raw.replace("*", "").replace("`", "").strip())
        if m:
            found = m.group(1)
    if found is None:
        return None
    states = [s.strip().lower() for s in found.strip().rstrip(".").split(",")]
    if any(s not in STATES for s in states):
        return None
    return states


def reward(completion, profile, readings, **row):
    want = controller_for(profile).trace(readings)
    got = parse_trace(completion)
    return 1.0 if got == want else 0.0
