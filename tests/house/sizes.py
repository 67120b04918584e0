"""How long functions and files are: the house keeps both small. `sizes.py` checks src/, `sizes.py --table` shows every room."""
import os
import re
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
ENDINGS = (".c", ".h", ".cpp", ".cu", ".cuh")


def files(room):
    for folder, folders, names in os.walk(os.path.join(ROOT, room)):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(ENDINGS))


def functions(path):
    """(name, lines) of each function; the tree is formatted, so that a body ends with the first brace in its column."""
    found, name, first, margin, waiting = [], None, 0, "", None
    with open(path) as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines):
        if name is None:
            if waiting is None:
                start = re.match(r"( *)(?:[\w*&:<>\[\],]+[ *&]+)*~?([\w:~]+)\(", line)
                if not start or re.match(r" *(if|for|while|switch|return|else|do|#|sizeof|case|static_assert|_Static_assert)\b",
                                         line):
                    continue
                if len(start[1]) > 4 or line.startswith(("#", "/*", " *")):
                    continue
                waiting, first, margin = start[2], number, start[1]
            if re.search(r"\)[^;]*\{.*\}$", line):
                found.append((waiting, number - first + 1))
                waiting = None
            elif line.endswith("{"):
                name, waiting = waiting, None
            elif line.endswith((";", "}", "\\")) or not line.strip() or number - first > 12:
                waiting = None
        elif line.startswith(margin + "}") and not line.startswith(margin + "} "):
            found.append((name, number - first + 1))
            name = None
    return found


def measure(room):
    lengths = {path: sum(1 for _ in open(path)) for path in files(room)}
    found = [(lines, name, path) for path in lengths for name, lines in functions(path)]
    return lengths, sorted(found)


def quantile(found, share):
    return found[min(len(found) - 1, int(share * len(found)))][0]


LIMITS = {"median": 8, "p90": 16, "longest": 45, "file": 300}


def check(room):
    """What is too long, in words."""
    lengths, found = measure(room)
    now = {"median": quantile(found, 0.5), "p90": quantile(found, 0.9), "longest": found[-1][0]}
    wrong = [f"{room}: the {what} of functions is {now[what]} lines, {LIMITS[what]} are allowed" for what in now
             if now[what] > LIMITS[what]]
    return wrong + [f"{os.path.relpath(path, ROOT)} has {lines} lines, {LIMITS['file']} are allowed"
                    for path, lines in lengths.items() if lines > LIMITS["file"]]


def table(rooms):
    for room in rooms:
        lengths, found = measure(room)
        print(f"{room:12} {len(lengths):4} files {sum(lengths.values()):6} lines {len(found):5} functions, median "
              f"{quantile(found, 0.5)}, p90 {quantile(found, 0.9)}, longest {found[-1][0]} ({found[-1][1]})")


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        table(("src/core", "src/methods", "src/raster", "src", "cli", "gdal_driver", "gpu", "tests"))
        sys.exit(0)
    problems = check("src")
    print("\n".join(problems) or "src: every function and file is short enough")
    sys.exit(1 if problems else 0)
