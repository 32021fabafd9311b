"""Solutions for the access log."""

from .steps import cell, shell

LOAD = r"""
import re
import pandas as pd

LINE = re.compile(
    r'(?P<address>\S+) - - \[(?P<time>[^]]+)\] "(?P<method>\S+) (?P<path>\S+) HTTP/1.1" '
    r'(?P<status>\d+) (?P<sent>\d+|-) "[^"]*" (?P<seconds>\d+\.\d+)'
)
matches = [LINE.fullmatch(line) for line in open("access.log").read().splitlines()]
log = pd.DataFrame([match.groupdict() for match in matches if match])
log["time"] = pd.to_datetime(log["time"], format="%d/%b/%Y:%H:%M:%S %z", utc=True)
log["sent"] = log["sent"].replace("-", "0").astype(int)
log["status"] = log["status"].astype(int)
log["seconds"] = log["seconds"].astype(float)
log["path"] = log["path"].str.split("?").str[0]
print(log.dtypes)
"""

LOOK = [shell("cat weblog.md && head -n 3 access.log")]
READ = cell(LOAD)

SOLUTIONS = {
    "whole_lines": [
        cell("count = !grep -cE '[0-9][.][0-9][0-9][0-9]$' access.log"),
        cell('print("Answer:", count[0])'),
    ],
    "bytes_below": [
        READ,
        cell("""
print("Answer:", log.loc[log["path"].str.startswith(prefix), "sent"].sum())
"""),
    ],
    "slow_posts": [
        READ,
        cell("""
times = log.loc[(log["method"] == method) & (log["status"] == 200), "seconds"]
slow = times.quantile(percent / 100, interpolation="higher")
ranked = [t for t in sorted(times) if (times <= t).mean() >= percent / 100]
print(slow, len(times))
print(f"Answer: {ranked[0]:.3f}")
"""),
    ],
    "top_not_found": [
        READ,
        cell("""
counts = log.loc[log["status"] == 404, "address"].value_counts()
print("Answer:", ", ".join(counts.index[:2]))
"""),
    ],
    "visits": [
        READ,
        cell("""
gaps = log.sort_values("time").groupby("address")["time"].diff()
print("Answer:", (gaps.isna() | (gaps > pd.Timedelta(minutes=30))).sum())
"""),
    ],
    "bytes_in_all": [
        shell(
            "grep -E '\" [0-9]+[.][0-9]{3}$' access.log | sed -E 's/.*HTTP[^ ]+ [0-9]+ ([0-9]+|-).*/\\1/'"
            " | awk '{ sum += $1 } END { printf \"Answer: %d\\n\", sum }'"
        )
    ],
    "top_paths": [
        READ,
        cell("""
counts = log.loc[log["status"] == 200, "path"].value_counts()
print("Answer:", ", ".join(counts.index[:3]))
"""),
    ],
    "worst_hour": [
        READ,
        cell("""
hours = log.loc[log["status"] >= 500, "time"].dt.strftime("%Y-%m-%d %H")
print("Answer:", hours.value_counts().idxmax())
"""),
    ],
    "failing_below": [
        READ,
        cell("""
part = log[log["path"].str.startswith(prefix)]
print(f"Answer: {100 * (part['status'] >= 500).mean():.2f}")
"""),
    ],
    "bursts": [
        READ,
        cell("""
failed = log[log["status"] == 401].sort_values("time", kind="stable")
fifth = failed.groupby("address")["time"].shift(1 - times)
burst = failed[(fifth - failed["time"]) <= pd.Timedelta(seconds=seconds)]
print("Answer:", ", ".join(burst["address"].drop_duplicates()))
"""),
    ],
}
