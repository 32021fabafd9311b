"""Dates as people write them: ISO, with the day or the month first, and in words."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import NamedTuple

WRITTEN = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%B %d, %Y", "%B %d %Y", "%d %B %Y", "%d. %B %Y"),
    *("%b %d, %Y", "%b %d %Y", "%d %b %Y", "%d-%b-%Y"),
)
"""Notations that have only one reading."""
TURNED = {sign: (f"%d{sign}%m{sign}%Y", f"%m{sign}%d{sign}%Y") for sign in "/.-"}
"""Notations whose day and month can be confused, by the sign between them."""
LONGEST = 30
"""Maximum characters of a date."""


class WrittenDate(NamedTuple):
    """A date, and the notation in which it is written."""

    day: date
    form: str

    def write(self, day: date) -> str:
        """Return another date in the same notation, with as few zeros."""
        text = day.strftime(self.form)
        return (
            text
            if "%B" not in self.form and "%b" not in self.form
            else re.sub(r"\b0(?=\d\b)", "", text)
        )


def read_date(text: str, prefer: str = "") -> WrittenDate | None:
    """Return the date that a text is; None for other texts. ``prefer`` is "day" or "month", if the prompt shows which
    comes first; without it, a dot means that the day does."""
    said = text.strip()
    if not 6 <= len(said) <= LONGEST or not re.search(r"\d{4}", said):
        return None
    sign = next((each for each in TURNED if said.count(each) == 2), "")
    day_first = prefer == "day" or (not prefer and sign == ".")
    turned = TURNED.get(sign, ())
    for form in (*WRITTEN, *(turned if day_first else turned[::-1])):
        try:
            return WrittenDate(datetime.strptime(said, form).date(), form)
        except ValueError:
            continue
    return None


_SHOWN_DATE = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2\d{4}(?![\d/-])", re.ASCII)


def shown_dates(prompt: str) -> list[tuple[str, str]]:
    """Return the orders in which a prompt writes dates, each with its sign: day or month first.

    Only a date whose day is above 12 tells its order.
    """
    found = []
    for first, sign, second in _SHOWN_DATE.findall(prompt):
        if max(int(first), int(second)) > 12 >= min(int(first), int(second)):
            found.append(("day" if int(first) > 12 else "month", sign))
    return list(dict.fromkeys(found))


def written_date(day: date, order: str, sign: str) -> str:
    """Return a date with its day or month first."""
    parts = (day.day, day.month) if order == "day" else (day.month, day.day)
    return sign.join(f"{part:02}" for part in (*parts, day.year))
