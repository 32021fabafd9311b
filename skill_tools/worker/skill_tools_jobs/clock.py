"""Puts the clock forward in the child, so that what depends on the time shows."""

import datetime
import sys
import time

AGED = 60.0
"""Seconds that pass with each reading of a clock: as where a model thinks for a minute before each call."""


def put_clock_forward(seconds: float, package: str) -> None:
    """Have `time` and `datetime` tell a later time, and a later one each time that the package asks.

    To be called before the author's code is imported. What the standard library waits for is not hurried.
    """
    clocks = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
    local, utc, passed = time.localtime, time.gmtime, [seconds]

    def later(name: str) -> float:
        frame = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__") == __name__:
            frame = frame.f_back  # a date asks for the time, and who asked for the date is meant
        # What the standard library reads for a limit, as of subprocess.run(timeout=5), is no question of the author's.
        asked = frame is not None and frame.f_globals.get("__package__") == package
        passed[0] += AGED * asked
        return clocks[name]() + passed[0]

    moment, day = datetime.datetime, datetime.date

    class Reading(type):
        """What was made by C code is an instance, too."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, moment if issubclass(cls, moment) else day)

    class Later(moment, metaclass=Reading):
        """A datetime whose present is later."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
            """The later present."""
            return moment.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls) -> datetime.datetime:
            """The later present, in UTC and without a time zone."""
            return moment.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> datetime.datetime:
            """The later present."""
            return cls.now()

    class LaterDay(day, metaclass=Reading):
        """A date whose today is later."""

        @classmethod
        def today(cls) -> datetime.date:
            """The later day."""
            return day.fromtimestamp(time.time())

    for name in clocks:
        setattr(time, name, lambda name=name: later(name))
        setattr(time, f"{name}_ns", lambda name=name: int(later(name) * 1e9))
    time.localtime = lambda at=None: local(time.time() if at is None else at)
    time.gmtime = lambda at=None: utc(time.time() if at is None else at)
    datetime.datetime, datetime.date = Later, LaterDay
