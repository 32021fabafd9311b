"""A shop's database: customers, products, orders and their lines."""

import random
import sqlite3
import tempfile
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

from .question import Question, World, rounded, top, totals

FIRST = "Ada Bo Cleo Dan Eva Finn Gia Hugo Ines Jon Kira Leo Mina Nils Olga Per Rosa Sam Tove Uma"
LAST = {
    "train": "Abbott Brandt Costa Dubois Ekman Fischer Greco Hansen Ivanov Jansen",
    "test": "Keller Lindqvist Moreau Novak Olsen Pereira Quinn Rossi Santos Takeda",
}
CITIES = {
    "train": "Aarhus Bilbao Cork Dresden Evora Florence Ghent Haarlem",
    "test": "Innsbruck Jena Kaunas Leiden Malmo Nantes Oulu Porto",
}
KINDS = {
    "Lamps": "Desk Floor Wall Reading Garden",
    "Chairs": "Office Dining Garden Rocking Folding",
    "Tables": "Coffee Dining Side Writing Garden",
    "Shelves": "Wall Corner Book Shoe Spice",
    "Rugs": "Wool Jute Cotton Round Runner",
}
ONE = dict(zip(KINDS, ("lamp", "chair", "table", "shelf", "rug"), strict=True))
HABIT = (108, 121)
"""Who buys the first of these products often buys the other as well."""
SPLITS = {"train": (31, date(2023, 1, 1)), "test": (32, date(2024, 1, 1))}
PAID = "paid"

PAGE = """\
# Shop

`shop.sqlite` is an SQLite database:

- customers: id, name, city, joined
- products: id, name, category, price_cents (the price of one piece, in euro cents)
- orders: id, customer_id, ordered_at (YYYY-MM-DD HH:MM), status
- order_lines: order_id, product_id, quantity, discount_percent

The status of an order is paid, cancelled or returned; only paid orders bring revenue. The revenue
of a line is price times quantity, less the discount.

- discount_percent is NULL where there is no discount.
- Some lines name a product that is not in products any more: leave such lines out of every sum.
- Cities differ in case.
- Some orders have no lines.
"""


@dataclass(frozen=True)
class Customer:
    number: int
    name: str
    city: str
    joined: date


@dataclass(frozen=True)
class Product:
    number: int
    name: str
    category: str
    cents: int


@dataclass(frozen=True)
class Order:
    number: int
    customer: Customer
    at: datetime
    status: str
    lines: tuple[tuple[int, int, int | None], ...]

    def revenue(self, products: dict[int, Product], category: str = "") -> Fraction:
        """In cents; of one category, or of all."""
        if self.status != PAID:
            return Fraction(0)
        return sum(
            (
                products[p].cents * quantity * Fraction(100 - (discount or 0), 100)
                for p, quantity, discount in self.lines
                if p in products and category in ("", products[p].category)
            ),
            Fraction(0),
        )


def make(split: str) -> World:
    """The world of one split."""
    seed, start = SPLITS[split]
    rng = random.Random(seed)
    names = [f"{one} {other}" for one in FIRST.split() for other in LAST[split].split()]
    cities = CITIES[split].split()
    rng.shuffle(cities)
    customers = [
        Customer(
            n, name, rng.choices(cities, range(2, 10))[0], start - timedelta(rng.randrange(900))
        )
        for n, name in enumerate(rng.sample(names, 150), 1)
    ]
    kinds = [(kind, category) for category, kinds in KINDS.items() for kind in kinds.split()]
    products = {
        n: Product(n, f"{kind} {ONE[category]}", category, _price(rng))
        for n, (kind, category) in enumerate(kinds, 101)
    }
    orders = [_order(rng, n, customers, start) for n in range(1, 421)]
    files = {"shop.sqlite": _database(rng, customers, products, orders)}
    ask = {"train": _train, "test": _test}[split]
    return World("shop", files, PAGE, ask(customers, products, orders))


def _price(rng: random.Random) -> int:
    return rng.randrange(1500, 48000, 5)


def _order(rng: random.Random, number: int, customers: list[Customer], start: date) -> Order:
    customer = customers[min(int(rng.expovariate(1 / 45)), len(customers) - 1)]
    at = datetime.combine(start, datetime.min.time()) + timedelta(
        days=rng.randrange(360), hours=rng.randrange(7, 22), minutes=rng.randrange(60)
    )
    chosen = rng.sample(range(101, 128), rng.choices((0, 1, 2, 3, 4), (1, 6, 6, 4, 2))[0])
    if HABIT[0] in chosen and HABIT[1] not in chosen and rng.random() < 0.8:
        chosen.append(HABIT[1])
    lines = tuple(
        (product, rng.choice((1, 1, 1, 2, 2, 4)), rng.choice((None, None, None, 5, 10, 15)))
        for product in chosen
    )
    status = rng.choices((PAID, "cancelled", "returned"), (8, 1, 1))[0]
    return Order(number, customer, at, status, lines)


def _database(
    rng: random.Random, customers: list[Customer], products: dict[int, Product], orders: list[Order]
) -> bytes:
    """The file. What names the writing library's version in it is made the same everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shop.sqlite"
        connection = sqlite3.connect(path)
        connection.executescript(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, joined TEXT);"
            "CREATE TABLE products "
            "(id INTEGER PRIMARY KEY, name TEXT, category TEXT, price_cents INTEGER);"
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, ordered_at TEXT, "
            "status TEXT);"
            "CREATE TABLE order_lines (order_id INTEGER, product_id INTEGER, quantity INTEGER, "
            "discount_percent INTEGER);"
        )
        rows = [
            (c.number, c.name, rng.choice([c.city, c.city, c.city.upper()]), str(c.joined))
            for c in customers
        ]
        connection.executemany("INSERT INTO customers VALUES (?, ?, ?, ?)", rows)
        rows = [(p.number, p.name, p.category, p.cents) for p in products.values()]
        connection.executemany("INSERT INTO products VALUES (?, ?, ?, ?)", rows)
        rows = [(o.number, o.customer.number, f"{o.at:%Y-%m-%d %H:%M}", o.status) for o in orders]
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
        rows = [(o.number, *line) for o in orders for line in o.lines]
        connection.executemany("INSERT INTO order_lines VALUES (?, ?, ?, ?)", rows)
        connection.commit()
        connection.close()
        data = bytearray(path.read_bytes())
    # The change counter, the version for which it is valid, and the version of the library.
    data[24:28] = data[92:96] = (1).to_bytes(4, "big")
    data[96:100] = (3_040_001).to_bytes(4, "big")
    return bytes(data)


def _train(
    customers: list[Customer], products: dict[int, Product], orders: list[Order]
) -> list[Question]:
    paid = [order for order in orders if order.status == PAID]
    lamps = sum(order.revenue(products, "Lamps") for order in orders)
    by_customer = totals((order.customer.name, order.revenue(products)) for order in paid)
    ordering = {order.customer.number for order in orders}
    counts = totals((order.customer.name, 1) for order in paid)
    loyal = sum(cents for name, cents in by_customer.items() if counts[name] >= 4)
    return [
        Question("paid_orders", "easy", "integer", "How many orders are paid?", str(len(paid))),
        Question(
            "revenue_of_category",
            "medium",
            "number",
            "What is the revenue of all products in the category Lamps together, in euros? Round to "
            "two decimals.",
            rounded(lamps / 100, 2),
            {"category": "Lamps"},
            "0.01",
            "EUR",
        ),
        Question(
            "top_customers",
            "hard",
            "list",
            "Which three customers brought the most revenue? List their names, most first.",
            top(by_customer, 3),
        ),
        Question(
            "never_ordered",
            "medium",
            "integer",
            "How many customers never made an order, whatever its status?",
            str(sum(customer.number not in ordering for customer in customers)),
        ),
        Question(
            "share_of_loyal",
            "hard",
            "number",
            "How many percent of all revenue come from customers with at least four paid orders "
            "(orders without lines count as orders)? Round to two decimals.",
            rounded(100 * loyal / sum(by_customer.values()), 2),
            {"least": 4},
            "0.01",
            "%",
        ),
    ]


def _test(
    customers: list[Customer], products: dict[int, Product], orders: list[Order]
) -> list[Question]:
    paid = [order for order in orders if order.status == PAID]
    chairs = [product.cents for product in products.values() if product.category == "Chairs"]
    cities = totals((order.customer.city, order.revenue(products)) for order in paid)
    sold = [order.revenue(products) for order in paid]
    sold = [cents for cents in sold if cents]
    pairs = totals(
        (", ".join(sorted(products[p].name for p in pair)), 1)
        for order in paid
        for pair in combinations(sorted({line[0] for line in order.lines} & set(products)), 2)
    )
    gaps = []
    for customer in customers:
        times = sorted(order.at for order in paid if order.customer is customer)
        gaps += [later - earlier for earlier, later in pairwise(times)]
    return [
        Question(
            "mean_price",
            "easy",
            "number",
            "What is the mean price of the products in the category Chairs, in euros? Round to two "
            "decimals.",
            rounded(Fraction(sum(chairs), 100 * len(chairs)), 2),
            {"category": "Chairs"},
            "0.01",
            "EUR",
        ),
        Question(
            "top_cities",
            "medium",
            "list",
            "From which three cities did the most revenue come? List their names, most first.",
            top(cities, 3),
        ),
        Question(
            "common_pair",
            "hard",
            "list",
            "Which two products of the table products are together in the most paid orders? List "
            "their two names in alphabetical order.",
            top(pairs, 1)[0].split(", "),
        ),
        Question(
            "mean_order",
            "medium",
            "number",
            "What is the mean revenue of those paid orders that bring any, in euros? Round to two "
            "decimals.",
            rounded(Fraction(sum(sold), len(sold)) / 100, 2),
            {},
            "0.01",
            "EUR",
        ),
        Question(
            "longest_gap",
            "hard",
            "integer",
            "What is the longest time between two consecutive paid orders of the same customer, in "
            "minutes?",
            str(max(gaps) // timedelta(minutes=1)),
        ),
    ]
