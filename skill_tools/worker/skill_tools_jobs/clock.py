"""Advance the clock in the child, to reveal dependence on the time."""

import datetime
import sys
import time
from datetime import UTC
from datetime import date as day
from datetime import datetime as moment
from types import FrameType

AGED = 60.0
"""Seconds between two readings of a clock, as if a model thought for a minute before each call."""


def put_clock_forward(seconds: float, package: str) -> None:
    """Make `time` and `datetime` report a later time, which advances further with each call from the package.

    Call this before importing the author's code. Waits in the standard library are unaffected.
    """
    clocks = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
    local, utc, passed = time.localtime, time.gmtime, [seconds]

    def later(name: str) -> float:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__") == __name__:
            frame = frame.f_back  # dates read the time, so the caller of the date counts
        # Timeouts of the standard library, as in subprocess.run(timeout=5), are not the author's readings.
        asked = frame is not None and frame.f_globals.get("__package__") == package
        passed[0] += AGED * asked
        return float(clocks[name]()) + passed[0]

    class Reading(type):
        """A metaclass by which instances that were created in C also count as instances of this class."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, moment if issubclass(cls, moment) else day)

    # Created dynamically: their methods return instances of the real class.
    present = {
        "now": staticmethod(lambda tz=None: moment.fromtimestamp(time.time(), tz)),
        "utcnow": staticmethod(lambda: moment.fromtimestamp(time.time(), UTC).replace(tzinfo=None)),
        "today": staticmethod(lambda: moment.fromtimestamp(time.time())),
    }
    today = {"today": staticmethod(lambda: day.fromtimestamp(time.time()))}
    for name in clocks:
        setattr(time, name, lambda name=name: later(name))
        setattr(time, f"{name}_ns", lambda name=name: int(later(name) * 1e9))
    time.localtime = lambda at=None: local(time.time() if at is None else at)
    time.gmtime = lambda at=None: utc(time.time() if at is None else at)
    vars(datetime).update(
        datetime=Reading("Later", (moment,), present), date=Reading("LaterDay", (day,), today)
    )
