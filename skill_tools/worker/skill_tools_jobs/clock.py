"""Puts the clock forward in the child, so that what depends on the time shows."""

import datetime
import sys
import time
from datetime import UTC
from datetime import date as day
from datetime import datetime as moment
from types import FrameType

AGED = 60.0
"""Seconds that pass with each reading of a clock: as where a model thinks for a minute before each call."""


def put_clock_forward(seconds: float, package: str) -> None:
    """Have `time` and `datetime` tell a later time, and a later one each time that the package asks.

    To be called before the author's code is imported. What the standard library waits for is not hurried.
    """
    clocks = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
    local, utc, passed = time.localtime, time.gmtime, [seconds]

    def later(name: str) -> float:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__") == __name__:
            frame = frame.f_back  # a date asks for the time, and who asked for the date is meant
        # What the standard library reads for a limit, as of subprocess.run(timeout=5), is no question of the author's.
        asked = frame is not None and frame.f_globals.get("__package__") == package
        passed[0] += AGED * asked
        return float(clocks[name]()) + passed[0]

    class Reading(type):
        """What was made by C code is an instance, too."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, moment if issubclass(cls, moment) else day)

    # Made, and not written: what these return is the real class's, and no instance of them.
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
