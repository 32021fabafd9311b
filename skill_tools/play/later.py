"""Puts the clock forward in the process of probe.py, so that what depends on the day shows."""

import datetime
import time


def put_clock_forward(seconds: float) -> None:
    """Have `time` and `datetime` tell a later time; to be called before the author's code is imported."""
    real, local, utc = time.time, time.localtime, time.gmtime
    moment, day = datetime.datetime, datetime.date

    class Told(type):
        """What was made by C code is an instance, too."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, moment if issubclass(cls, moment) else day)

    class Later(moment, metaclass=Told):
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

    class LaterDay(day, metaclass=Told):
        """A date whose today is later."""

        @classmethod
        def today(cls) -> datetime.date:
            """The later day."""
            return day.fromtimestamp(time.time())

    time.time = lambda: real() + seconds
    time.time_ns = lambda: int(time.time() * 1e9)
    time.localtime = lambda at=None: local(time.time() if at is None else at)
    time.gmtime = lambda at=None: utc(time.time() if at is None else at)
    datetime.datetime, datetime.date = Later, LaterDay
