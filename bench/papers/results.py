"""Looking measured and published values up."""

import csv
import os

import experiments
import runs

PUBLISHED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published")


def published(name, *keys):
    """Rows of a published table by their key columns, a tuple."""
    with open(os.path.join(PUBLISHED, name + ".csv"), newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {tuple(int(row[key]) for key in keys): row for row in rows}


def time_of(row):
    """Milliseconds: on the device for a CUDA engine, of the whole call otherwise; None where it was
    not measured."""
    if row is None or row["missing"]:
        return None
    return row["device_ms"] if row["engine"].startswith("cuda") else row["wall_ms"]


def memory_of(results, engine, side):
    """MiB at 1 % targets: on the host with mask and distances, which take 5 bytes a pixel; on the
    device all that the engine takes there."""
    row = results.pr_edt(engine, side, 1)
    if not row or row["missing"]:
        return None
    if engine.startswith("cuda"):
        value = row["device_bytes"]
    else:
        value = row["host_bytes"] + 5 * side * side
    return value / 2**20 if value else None


class Results:
    def __init__(self, folder):
        missing = [
            name
            for name in experiments.ALL
            if not os.path.exists(os.path.join(folder, name + ".csv"))
        ]
        if missing:
            raise SystemExit(
                f"{folder} has no {', '.join(missing)} yet: leave --only and --draw away"
            )
        self.rows = {
            name: runs.read(os.path.join(folder, name + ".csv")) for name in experiments.ALL
        }
        with open(os.path.join(folder, "machine.txt")) as file:
            self.machine = file.read().strip()
        self.table1 = published("pr_edt_table1", "side", "percent")
        self.table2 = published("pr_edt_table2", "side")

    def find(self, experiment, engine, side, pattern):
        return next(
            (
                row
                for row in self.rows[experiment]
                if row["engine"] == engine and row["side"] == side and row["pattern"] == pattern
            ),
            None,
        )

    def all(self, experiment, key):
        """Values of a column, in the order measured."""
        return list(dict.fromkeys(row[key] for row in self.rows[experiment]))

    def pr_edt(self, engine, side, percent):
        return self.find("pr_edt", engine, side, experiments.pattern(percent))

    def sides(self, experiment="pr_edt"):
        return sorted(int(side) for side in self.all(experiment, "side"))

    def percents(self):
        return sorted(float(pattern[7:-1]) for pattern in self.all("pr_edt", "pattern"))

    def times(self, experiment, engine, x):
        """[(x, ms)] of an engine, where x is a column."""
        rows = [row for row in self.rows[experiment] if row["engine"] == engine and time_of(row)]
        return [(row[x], time_of(row)) for row in rows]

    def shares(self, side, percent):
        """Shares of PR-EDT's steps 2 to 4, by name; None where it was not measured."""
        row = self.pr_edt("cuda-pr-edt", side, percent)
        if not row or not row["steps"]:
            return None
        steps = dict(step.split("=") for step in row["steps"].split(";"))
        total = sum(map(float, steps.values()))
        return {name: float(ms) / total for name, ms in steps.items()}
