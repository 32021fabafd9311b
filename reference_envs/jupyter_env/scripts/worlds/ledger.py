"""Expenses of a company in several currencies, written down by several people."""

import json
import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from statistics import median

from .question import Question, World, first, rounded, top, totals

DEPARTMENTS = ("Sales", "Design", "Support", "Finance", "Legal", "Research", "Facilities", "People")
CATEGORIES = ("Travel", "Software", "Catering", "Training", "Hardware", "Post")
RATES = {"EUR": "1", "USD": "0.92", "GBP": "1.17", "SEK": "0.088"}
SPLITS = {"train": (11, date(2023, 1, 1)), "test": (39, date(2024, 1, 1))}

PAGE = """\
# Expenses

`expenses.csv` has one line per expense: entry, date, department, category, amount, currency.
`rates.json` has the euros that one unit of each currency is worth.

The lines were typed in by several people, so:

- Dates are written as 2024-03-07, as 07/03/2024 (the day comes first) or as 7 Mar 2024.
- Departments differ in case and have spaces around them; categories do not.
- Amounts may have a comma between thousands. An amount in parentheses, (12.50), is a refund: a
  negative amount.
- Some amounts are missing. Such an entry is an entry, but no amount: leave it out of sums, means,
  medians and counts of amounts.
- Some lines were entered twice or three times, with the same entry number: they are one expense.
"""


@dataclass(frozen=True)
class Expense:
    entry: str
    day: date
    department: str
    category: str
    cents: int | None
    currency: str

    @property
    def euros(self) -> Fraction:
        return Fraction(self.cents or 0, 100) * Fraction(RATES[self.currency])


def make(split: str) -> World:
    """The world of one split."""
    seed, start = SPLITS[split]
    rng = random.Random(seed)
    expenses = [_expense(rng, start, number) for number in range(640)]
    lines = [_line(rng, each) for each in expenses]
    lines += [_line(rng, each) for each in rng.choices(expenses, k=45)]
    rng.shuffle(lines)
    table = "\n".join(["entry,date,department,category,amount,currency", *lines, ""])
    files = {
        "expenses.csv": table.encode(),
        "rates.json": (json.dumps({k: float(v) for k, v in RATES.items()}) + "\n").encode(),
    }
    ask = {"train": _train, "test": _test}[split]
    return World("ledger", files, PAGE, ask(expenses, start.year))


def _expense(rng: random.Random, start: date, number: int) -> Expense:
    weights = range(3, 3 + len(DEPARTMENTS))
    cents = round(rng.lognormvariate(9.6, 1.1))
    cents = None if rng.random() < 0.04 else -cents if rng.random() < 0.07 else cents
    return Expense(
        f"E{start.year % 100}{number + 1:04}",
        start + timedelta(rng.randrange(365)),
        rng.choices(DEPARTMENTS, weights)[0],
        rng.choice(CATEGORIES),
        cents,
        rng.choices(list(RATES), (6, 3, 2, 1))[0],
    )


def _line(rng: random.Random, each: Expense) -> str:
    day = rng.choice(
        [each.day.isoformat(), f"{each.day:%d/%m/%Y}", f"{each.day.day} {each.day:%b %Y}"]
    )
    name = rng.choice([each.department] * 3 + [each.department.upper(), each.department.lower()])
    name = rng.choice([name] * 4 + [f" {name}", f"{name} "])
    amount = ""
    if each.cents is not None:
        amount = f"{Decimal(abs(each.cents)) / 100:{rng.choice([',', ''])}.2f}"
        amount = f"({amount})" if each.cents < 0 else amount
        amount = f'"{amount}"' if "," in amount else amount
    return f"{each.entry},{day},{name},{each.category},{amount},{each.currency}"


def _train(expenses: list[Expense], year: int) -> list[Question]:
    known = [each for each in expenses if each.cents is not None]
    net = sum(each.euros for each in known if each.department == "Research")
    spring = [each for each in known if 4 <= each.day.month <= 6]
    travel = sum(each.euros for each in spring if each.category == "Travel")
    months = totals((f"{each.day:%Y-%m}", each.euros) for each in known)
    refunds = totals((e.department, -e.euros) for e in known if e.cents < 0)
    return [
        Question(
            "entries_of",
            "easy",
            "integer",
            "How many different expenses (entry numbers) are there in which the department is not "
            "Sales, whether the amount is known or not?",
            str(sum(each.department != "Sales" for each in expenses)),
            {"department": "Sales"},
        ),
        Question(
            "net_of_department",
            "medium",
            "number",
            "What did the department Research spend in euros, refunds subtracted? Convert every "
            "amount with rates.json and round the sum to two decimals.",
            rounded(net, 2),
            {"department": "Research"},
            "0.01",
            "EUR",
        ),
        Question(
            "share_of_category",
            "hard",
            "number",
            f"Of the net spending in euros (refunds subtracted) dated April to June {year}, how "
            "many percent belong to the category Travel? Round to two decimals.",
            rounded(100 * travel / sum(each.euros for each in spring), 2),
            {"category": "Travel", "months": [4, 5, 6]},
            "0.01",
            "%",
        ),
        Question(
            "top_months",
            "medium",
            "list",
            f"Which three months of {year} had the largest net spending in euros (refunds "
            "subtracted)? List them as YYYY-MM, largest first.",
            top(months, 3),
        ),
        Question(
            "top_refunds",
            "hard",
            "list",
            "Which four departments got the most money back in refunds, in euros? List their "
            "names, most first.",
            top(refunds, 4),
        ),
    ]


def _test(expenses: list[Expense], year: int) -> list[Question]:
    known = [each for each in expenses if each.cents is not None]
    dollars = max(each.cents for each in known if each.currency == "USD")
    pounds = [e.cents for e in known if e.currency == "GBP" and e.day.month >= 7]
    software = median(e.euros for e in known if e.category == "Software" and e.cents > 0)
    running, sums = Fraction(0), []
    days = sorted({each.day for each in known})
    for day in days:
        running += sum(e.euros for e in known if e.day == day and e.department == "Facilities")
        sums.append((day, running))
    means = {
        name: Fraction(sum(e.euros for e in part), len(part))
        for name in DEPARTMENTS
        if (part := [e for e in known if e.department == name])
    }
    return [
        Question(
            "largest_in",
            "easy",
            "number",
            "What is the largest single amount in US dollars (currency USD)? Give it in dollars "
            "with two decimals, not converted.",
            rounded(Fraction(dollars, 100), 2),
            {"currency": "USD"},
            "0.001",
            "USD",
        ),
        Question(
            "net_in_half",
            "medium",
            "number",
            f"What is the net sum, refunds subtracted, of the amounts in pounds (currency GBP) "
            f"dated July to December {year}? Give it in pounds with two decimals.",
            rounded(Fraction(sum(pounds), 100), 2),
            {"currency": "GBP", "month": 7},
            "0.001",
            "GBP",
        ),
        Question(
            "median_of_category",
            "hard",
            "number",
            "What is the median amount in euros of the expenses in the category Software, without "
            "refunds? Round to two decimals.",
            rounded(software, 2),
            {"category": "Software"},
            "0.01",
            "EUR",
        ),
        Question(
            "day_passed",
            "hard",
            "date",
            "Add up the net spending of the department Facilities in euros day by day, refunds "
            "subtracted. On which date was the sum above 15,000 euros for the first time?",
            first(sums, lambda item: item[1] > 15_000)[0].isoformat(),
            {"department": "Facilities", "limit": 15_000},
        ),
        Question(
            "top_means",
            "medium",
            "list",
            "Which three departments have the highest mean amount in euros, refunds counted as "
            "negative amounts? List their names, highest first.",
            top(means, 3),
        ),
    ]
