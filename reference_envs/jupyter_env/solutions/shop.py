"""Solutions for the shop's database."""

from .steps import cell, edit, shell

LOAD = """
import sqlite3
import pandas as pd

shop = sqlite3.connect("shop.sqlite")

def ask(query, *values):
    return pd.read_sql_query(query, shop, params=values)

REVENUE = '''
SELECT o.id AS number, o.ordered_at, c.name AS customer, lower(c.city) AS city, p.category,
       p.price_cents / 100.0 * l.quantity * (100 - coalesce(l.discount_percent, 0)) / 100 AS euros
FROM orders o
JOIN customers c ON c.id = o.customer_id
JOIN order_lines l ON l.order_id = o.id
JOIN products p ON p.id = l.product_id
WHERE o.status = 'paid'
'''
revenue = ask(REVENUE)
print(revenue.shape, revenue.columns.tolist())
"""

LOOK = [shell("cat shop.md && ls"), cell(LOAD)]

SOLUTIONS = {
    "paid_orders": [
        cell("""
print("Answer:", ask("SELECT count(*) AS n FROM orders WHERE state = 'paid'")["n"][0])
"""),
        edit("""
print("Answer:", ask("SELECT count(*) AS n FROM orders WHERE status = 'paid'")["n"][0])
"""),
    ],
    "revenue_of_category": [
        cell("""
euros = revenue.loc[revenue["category"] == category, "euros"].sum()
print(f"Answer: {euros:.2f}")
""")
    ],
    "top_customers": [
        cell("""
best = revenue.groupby("customer")["euros"].sum().nlargest(3)
print("Answer:", ", ".join(best.index))
""")
    ],
    "never_ordered": [
        cell("""
without = ask("SELECT id FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)")
print("Answer:", len(without))
""")
    ],
    "share_of_loyal": [
        cell("""
orders = ask("SELECT c.name FROM orders o JOIN customers c ON c.id = o.customer_id "
             "WHERE o.status = 'paid'")
counts = orders["name"].value_counts()
loyal = counts[counts >= least].index
share = revenue.loc[revenue["customer"].isin(loyal), "euros"].sum() / revenue["euros"].sum()
print(f"Answer: {100 * share:.2f}")
""")
    ],
    "mean_price": [
        cell("""
price = ask("SELECT avg(price_cents) / 100 AS euros FROM products WHERE category = ?", category)
print(f"Answer: {price['euros'][0]:.2f}")
""")
    ],
    "top_cities": [
        cell("""
best = revenue.groupby("city")["euros"].sum().nlargest(3)
print("Answer:", ", ".join(best.index))
""")
    ],
    "common_pair": [
        cell("""
pairs = ask('''
SELECT p.name AS one, q.name AS other, count(DISTINCT o.id) AS n
FROM orders o
JOIN order_lines l ON l.order_id = o.id JOIN products p ON p.id = l.product_id
JOIN order_lines m ON m.order_id = o.id JOIN products q ON q.id = m.product_id
WHERE o.status = 'paid' AND p.name < q.name
GROUP BY p.id, q.id ORDER BY n DESC LIMIT 5
''')
print(pairs["n"].tolist())
print("Answer:", ", ".join(pairs.loc[0, ["one", "other"]]))
""")
    ],
    "mean_order": [
        cell("""
orders = revenue.groupby("number")["euros"].sum()
print(f"Answer: {orders[orders > 0].mean():.2f}")
""")
    ],
    "longest_gap": [
        cell("""
paid = ask("SELECT customer_id, ordered_at FROM orders WHERE status = 'paid'")
paid["ordered_at"] = pd.to_datetime(paid["ordered_at"])
gaps = paid.sort_values("ordered_at").groupby("customer_id")["ordered_at"].diff()
print("Answer:", int(gaps.max().total_seconds()) // 60)
""")
    ],
}
