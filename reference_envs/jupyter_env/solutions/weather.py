"""Solutions for the weather stations."""

from .steps import cell, shell

LOAD = """
import numpy as np
import pandas as pd

stations = pd.read_csv("stations.csv")
readings = pd.read_csv("readings.csv", na_values=["NA", "-999"]).drop_duplicates()
readings = readings.merge(stations, left_on="station", right_on="code")
celsius = (readings["temperature"] - 32) * 5 / 9
readings["celsius"] = readings["temperature"].where(readings["unit"] == "C", celsius)
print(readings.shape)
"""

LOOK = [shell("cat weather.md && head -n 3 *.csv"), cell(LOAD)]

SOLUTIONS = {
    "usable_readings": [cell('print("Answer:", readings["celsius"].notna().sum())')],
    "mean_of_region": [
        cell("""
mean = readings.loc[readings["region"] == region, "celsius"].mean()
print(f"Answer: {mean:.2f}")
""")
    ],
    "lapse_rate": [
        cell("""
import matplotlib.pyplot as plt

means = readings.groupby("elevation_m")["celsius"].mean()
plt.figure(figsize=(4, 3))
plt.scatter(means.index, means.values)
plt.xlabel("elevation, m")
plt.ylabel("mean temperature, degrees C")
plt.show()
"""),
        cell("""
slope, _ = np.polyfit(means.index, means.values, 1)
print(f"Answer: {1000 * slope:.2f}")
"""),
    ],
    "wettest_day": [
        cell('print("Answer:", readings.groupby("date")["rain_mm"].sum().round(1).idxmax())')
    ],
    "top_ranges": [
        cell("""
by_name = readings.groupby("name")["celsius"]
print("Answer:", ", ".join((by_name.max() - by_name.min()).nlargest(3).index))
""")
    ],
    "highest_in_region": [
        cell("""
highest = readings.loc[readings["region"] == region, "celsius"].max()
print(f"Answer: {highest:.2f}")
""")
    ],
    "rain_above": [
        cell("""
rain = readings.loc[readings["elevation_m"] > metres, "rain_mm"].sum()
print(f"Answer: {rain:.1f}")
""")
    ],
    "correlation": [
        cell("""
daily = readings.pivot_table(index="date", columns="name", values="celsius", aggfunc="mean")
print(f"Answer: {daily[one].corr(daily[other]):.3f}")
""")
    ],
    "top_missing": [
        cell("""
missing = readings["celsius"].isna().groupby(readings["name"]).sum()
print("Answer:", ", ".join(missing.nlargest(3).index))
""")
    ],
    "wettest_week": [
        cell("""
rain = readings[readings["name"] == name].groupby("date")["rain_mm"].sum().sort_index()
print("Answer:", rain.rolling(7).sum().round(1).idxmax())
""")
    ],
}
