"""Solutions for the parcels."""

from .steps import cell, shell

LOAD = """
import json
import pandas as pd

KILOGRAMS = {"kg": 1.0, "g": 0.001, "lb": 0.45359237}
records = json.load(open("parcels.json"))
parcels = pd.DataFrame(
    [
        {
            "id": record["id"],
            "service": record["service"],
            "price": record["price_eur"],
            "kg": record["weight"] and record["weight"]["value"] * KILOGRAMS[record["weight"]["unit"]],
        }
        for record in records
    ]
).set_index("id")
events = pd.json_normalize(records, "events", "id")
events["time"] = pd.to_datetime(events["time"], utc=True)
events = events.drop_duplicates().sort_values("time")
for kind in ("collected", "delivered"):
    parcels[kind] = events[events["type"] == kind].set_index("id")["time"]
parcels["transit"] = parcels["delivered"] - parcels["collected"]
print(parcels.notna().sum())
"""

LOOK = [shell("cat parcels.md && head -c 600 parcels.json"), cell(LOAD)]

SOLUTIONS = {
    "price_of_all": [cell('print(f"Answer: {parcels.price.sum():.2f}")')],
    "weight_of_service": [
        cell("""
weight = parcels.loc[parcels["service"] == service, "kg"].sum()
print(f"Answer: {weight:.2f}")
""")
    ],
    "transit_hours": [
        cell("""
mean = parcels.loc[parcels["service"] == service, "transit"].mean()
print(f"Answer: {mean.total_seconds() / 3600:.2f}")
""")
    ],
    "heaviest_waiting": [
        cell('print("Answer:", parcels.loc[parcels["delivered"].isna(), "kg"].idxmax())')
    ],
    "top_waits": [
        cell("""
stays = events[events["type"].isin(["arrived", "left"])]
stays = stays.pivot(index=["id", "place"], columns="type", values="time")
waits = (stays["left"] - stays["arrived"]).dropna().groupby("place").mean()
print("Answer:", ", ".join(waits.nlargest(3).index))
""")
    ],
    "median_price": [
        cell("""
price = parcels.loc[parcels["service"] == service, "price"].median()
print(f"Answer: {price:.3f}")
""")
    ],
    "busiest_day": [
        cell("""
days = parcels["delivered"].dropna().dt.strftime("%Y-%m-%d")
print("Answer:", days.value_counts().idxmax())
""")
    ],
    "common_leg": [
        cell("""
stops = events[events["type"] == "arrived"].copy()
stops["next"] = stops.groupby("id")["place"].shift(-1)
legs = stops.dropna().groupby(["place", "next"]).size().sort_values(ascending=False)
print(legs.head(3).tolist())
print("Answer:", ", ".join(legs.index[0]))
""")
    ],
    "price_of_late": [
        cell("""
late = parcels[parcels["transit"] > pd.Timedelta(hours=hours)]
print(f"Answer: {late['price'].sum():.2f}")
""")
    ],
    "price_per_kilogram": [
        cell("""
part = parcels[parcels["delivered"].notna() & parcels["kg"].notna()]
print(f"Answer: {part['price'].sum() / part['kg'].sum():.3f}")
""")
    ],
}
