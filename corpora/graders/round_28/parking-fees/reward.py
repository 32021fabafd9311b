"""Car park charges: the fee is worked out from the tariff and the two times."""
import re
from datetime import datetime, timedelta
from decimal import Decimal

LINE = re.compile(r"^[ \t*]*Fee:[ \t*]*(.+?)[ \t*]*$", re.M | re.I)
POUNDS = re.compile(r"(?:£|GBP)?\s*(\d{1,3}(?:,\d{3})+|\d{1,6})(\.\d{2})?\s*(?:GBP|pounds?)?", re.I | re.A)
PENCE = re.compile(r"(\d{1,8})\s*(?:p|pence)", re.I | re.A)


def read_pence(completion):
    """Amount of the last 'Fee:' line in pence, or None."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].strip()
    if re.fullmatch(r"free|nothing", text, re.I):
        return 0
    m = PENCE.fullmatch(text)
    if m:
        return int(m.group(1))
    m = POUNDS.fullmatch(text)
    if m:
        return int(Decimal(m.group(1).replace(",", "") + (m.group(2) or "")) * 100)
    return None


def block_charge(minutes, tariff):
    """Charge in pence for one period of at most 24 hours, before the cap."""
    if minutes <= 0:
        return 0
    first, step = tariff["first_minutes"], tariff["step_minutes"]
    extra = max(0, minutes - first)
    return tariff["first_price"] + -(-extra // step) * tariff["step_price"]


def nights_between(arrive, leave, hour):
    """How often the clock passes `hour` o'clock after arrival and before leaving."""
    mark = arrive.replace(hour=hour, minute=0)
    if mark <= arrive:
        mark += timedelta(days=1)
    count = 0
    while mark < leave:
        count += 1
        mark += timedelta(days=1)
    return count


def charge(arrive, leave, tariff):
    minutes = int((leave - arrive).total_seconds()) // 60
    if minutes <= tariff["grace"]:
        return 0
    days, rest = divmod(minutes, 1440)
    total = days * min(tariff["cap"], block_charge(1440, tariff))
    total += min(tariff["cap"], block_charge(rest, tariff))
    if tariff.get("night_fee"):
        total += tariff["night_fee"] * nights_between(arrive, leave, tariff["night_hour"])
    return total


def reward(completion, arrive, leave, tariff, badge=False, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    given = read_pence(completion)
    if given is None:
        return 0.0
    due = charge(datetime.fromisoformat(arrive), datetime.fromisoformat(leave), tariff)
    if badge:
        due //= 2
    return 1.0 if given == due else 0.0
