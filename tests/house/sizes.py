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
                if not start or re.match(r" *(if|for|while|switch|return|else|do|#|sizeof|case|static_assert|_Static_assert)\b", line):
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


if __name__ == "__main__":
    for room in sys.argv[1:]:
        lengths, found = measure(room)
        print(f"{room}: {len(lengths)} files, {sum(lengths.values())} lines, {len(found)} functions, median "
              f"{quantile(found, .5)}, p90 {quantile(found, .9)}, longest {found[-1]}; "
              f"files over 300: {[(os.path.relpath(p, ROOT), n) for p, n in lengths.items() if n > 300]}")
        for lines, name, path in found[-12:]:
            print("   ", lines, name, os.path.relpath(path, ROOT))
