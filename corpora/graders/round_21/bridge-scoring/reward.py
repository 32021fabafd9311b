"""Reward for duplicate bridge scores, seen from the North-South side."""
import re
from dataclasses import dataclass
from functools import lru_cache

CONTRACT = re.compile(r"([1-7])(NT|[CDHS])(XX|X)?")
LINE = re.compile(r"^[ \t]*score:(.*)$", re.IGNORECASE | re.MULTILINE)
SIDES = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}


@dataclass
class Contract:
    level: int
    strain: str
    factor: int
    vulnerable: bool = False

    def trick_value(self):
        return 20 if self.strain in "CD" else 30

    def bid_points(self):
        first = 10 if self.strain == "NT" else 0
        return (self.level * self.trick_value() + first) * self.factor

    def made(self, overtricks):
        points = self.bid_points()
        total = points
        if points < 100:
            total += 50
        else:
            total += 500 if self.vulnerable else 300
        if self.level == 6:
            total += 750 if self.vulnerable else 500
        if self.level == 7:
            total += 1500 if self.vulnerable else 1000
        if self.factor == 1:
            return total + overtricks * self.trick_value()
        insult = 25 * self.factor
        each = (100 if self.vulnerable else 50) * self.factor
        return total + insult + overtricks * each

    def down(self, undertricks):
        if self.factor == 1:
            return undertricks * (100 if self.vulnerable else 50)
        if self.vulnerable:
            doubled = 200 + 300 * (undertricks - 1)
        else:
            doubled = sum(([100, 200, 200] + [300] * 10)[:undertricks])
        return doubled * self.factor // 2


@lru_cache(maxsize=None)
def parse_contract(text):
    level, strain, doubled = CONTRACT.fullmatch(text).groups()
    return Contract(int(level), strain, {None: 1, "X": 2, "XX": 4}[doubled])


def north_south_score(contract, declarer, vulnerable, tricks):
    side = SIDES[declarer]
    played = parse_contract(contract)
    if vulnerable in (side, "both"):
        played.vulnerable = True
    surplus = tricks - (6 + played.level)
    points = played.made(surplus) if surplus >= 0 else -played.down(-surplus)
    return points if side == "NS" else -points


def stated_score(completion):
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].strip().removesuffix(".").replace("−", "-")
    match = re.fullmatch(r"([+-]?)\s*(\d{1,4}|\d,\d{3})", text.strip())
    if not match:
        return None
    value = int(match[2].replace(",", ""))
    return -value if match[1] == "-" else value


def reward(completion, contract, declarer, vulnerable, tricks, **row) -> float:
    answer = stated_score(completion)
    if answer is None:
        return 0.0
    return 1.0 if answer == north_south_score(contract, declarer, vulnerable, tricks) else 0.0
