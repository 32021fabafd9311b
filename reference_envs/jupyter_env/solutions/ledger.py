"""Solutions for the expenses."""

from .steps import cell, edit, shell

LOAD = """
import json
import pandas as pd

spent = pd.read_csv("expenses.csv", dtype=str, keep_default_na=False)
spent["department"] = spent["department"].str.strip().str.title()

def read_date(text):
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d %b %Y"):
        try:
            return pd.to_datetime(text, format=form)
        except ValueError:
            pass

def read_amount(text):
    if not text:
        return None
    value = float(text.strip("()").replace(",", ""))
    return -value if text.startswith("(") else value

spent["date"] = spent["date"].map(read_date)
spent["amount"] = spent["amount"].map(read_amount)
spent = spent.drop_duplicates("entry")
rates = json.load(open("rates.json"))
spent["euros"] = spent["amount"] * spent["currency"].map(rates)
print(len(spent), "expenses,", spent["amount"].isna().sum(), "without an amount")
"""

LOOK = [shell("cat ledger.md && head -n 4 expenses.csv"), cell(LOAD)]

SOLUTIONS = {
    "entries_of": [cell('print("Answer:", (spent["department"] != department).sum())')],
    "net_of_department": [
        cell("""
net = spent.loc[spent["department"] == department, "euros"].sum()
print(f"Answer: {net:.2f}")
""")
    ],
    "share_of_category": [
        cell("""
part = spent[spent["date"].dt.month.isin(months)]
share = part.loc[part["category"] == category, "euros"].sum() / part["euros"].sum()
print(f"Answer: {100 * share:.2f}")
""")
    ],
    "top_months": [
        cell("""
by_month = spent.groupby(spent["date"].dt.strftime("%Y-%m"))["euros"].sum()
print("Answer:", ", ".join(by_month.nlargest(3).index))
""")
    ],
    "top_refunds": [
        cell("""
refunds = spent[spent["euros"] < 0].groupby("department")["euro"].sum()
"""),
        edit("""
refunds = spent[spent["euros"] < 0].groupby("department")["euros"].sum()
print("Answer:", ", ".join(refunds.nsmallest(4).index))
"""),
    ],
    "largest_in": [
        cell("""
largest = spent.loc[spent["currency"] == currency, "amount"].max()
print(f"Answer: {largest:.2f}")
""")
    ],
    "net_in_half": [
        cell("""
half = spent[(spent["currency"] == currency) & (spent["date"].dt.month >= month)]
print(f"Answer: {half['amount'].sum():.2f}")
""")
    ],
    "median_of_category": [
        cell("""
part = spent[(spent["category"] == category) & (spent["amount"] > 0)]
print(f"Answer: {part['euros'].median():.2f}")
""")
    ],
    "day_passed": [
        cell("""
part = spent[spent["department"] == department]
running = part.groupby("date")["euros"].sum().sort_index().cumsum()
print("Answer:", running[running > limit].index[0].date())
""")
    ],
    "top_means": [
        cell("""
means = spent.groupby("department")["euros"].mean()
print("Answer:", ", ".join(means.nlargest(3).index))
""")
    ],
}
