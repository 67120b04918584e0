"""Draws which rooms of src/raster know which others, and fails on a circle or on a struct that has grown too large.

A module is X.h with X.c; a header without a .c is a module, too. `includes.py --write FILE.svg` makes the picture."""
import os
import re
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
MAX_FIELDS = 12


def sources(room):
    for folder, folders, names in os.walk(os.path.join(ROOT, room)):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".c", ".h")))


def module_of(path, room):
    return os.path.splitext(os.path.relpath(path, os.path.join(ROOT, room)))[0]


def graph(room):
    """Of each module, which others it includes."""
    arrows = {}
    for path in sources(room):
        here = arrows.setdefault(module_of(path, room), set())
        with open(path) as file:
            for name in re.findall(r'^#include "(.*)"', file.read(), re.M):
                other = os.path.normpath(os.path.join(os.path.dirname(path), name))
                if os.path.exists(other) and other.startswith(os.path.join(ROOT, room)):
                    here.add(module_of(other, room))
        here.discard(module_of(path, room))
    return arrows


def circle(arrows):
    """A list of modules that ends where it began, or None."""
    done = set()

    def follow(module, way):
        if module in way:
            return way[way.index(module):] + [module]
        if module in done:
            return None
        for other in sorted(arrows[module]):
            found = follow(other, way + [module])
            if found:
                return found
        done.add(module)
        return None

    return next((found for module in sorted(arrows) if (found := follow(module, []))), None)


def levels(arrows):
    """0 for a module that includes none, else one more than the highest that it includes."""
    known = {}

    def level(module):
        if module not in known:
            known[module] = 1 + max((level(other) for other in arrows[module]), default=-1)
        return known[module]

    return {module: level(module) for module in arrows}


def fields_of(body):
    count = 0
    for member in re.sub(r"/\*.*?\*/", "", body, flags=re.S).split(";"):
        if member.strip():
            count += 1 + re.sub(r"\([^)]*\)|\[[^]]*\]", "", member).count(",")
    return count


def structs(room):
    """(fields, name, file), the largest first."""
    found = []
    for path in sources(room):
        with open(path) as file:
            text = file.read()
        for match in re.finditer(r"struct (\w+) \{\n(.*?)\n\}", text, re.S):
            found.append((fields_of(match[2]), match[1], os.path.relpath(path, ROOT)))
    return sorted(found, reverse=True)


# ---- The picture ----

WIDTH, HEIGHT, GAP, BETWEEN = 92, 22, 10, 58
COLOURS = {"": "#e8eef7", "files": "#fbeedc", "lazy": "#e4f3e4", "kin": "#f3e6f3"}


def rows(arrows):
    placed = {}
    for module, level in levels(arrows).items():
        placed.setdefault(level, []).append(module)
    return [sorted(placed[level], key=lambda m: (os.path.dirname(m), m)) for level in sorted(placed)]


def picture(arrows):
    lines = rows(arrows)
    width = max(len(line) for line in lines) * (WIDTH + GAP) + GAP
    height = len(lines) * (HEIGHT + BETWEEN) + GAP
    at = {}
    for number, line in enumerate(lines):
        left = (width - len(line) * (WIDTH + GAP)) / 2
        for i, module in enumerate(line):
            at[module] = (left + i * (WIDTH + GAP), height - (number + 1) * (HEIGHT + BETWEEN))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" '
           f'font-size="11">',
           f'<rect width="{width:g}" height="{height:g}" fill="white"/>']
    for module in sorted(arrows):
        for other in sorted(arrows[module]):
            (x, y), (to_x, to_y) = at[module], at[other]
            out.append(f'<line x1="{x + WIDTH / 2:g}" y1="{y + HEIGHT:g}" x2="{to_x + WIDTH / 2:g}" y2="{to_y:g}" '
                       'stroke="#9aa7b8" stroke-width="0.7"/>')
    for module in sorted(arrows):
        x, y = at[module]
        folder, name = os.path.split(module)
        out.append(f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="{COLOURS.get(folder, "#eee")}" '
                   'stroke="#667"/>')
        out.append(f'<text x="{x + WIDTH / 2:g}" y="{y + 15:g}" text-anchor="middle">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    arrows = graph("src/raster")
    found = circle(arrows)
    if found:
        print("src/raster: a circle of includes:", " -> ".join(found))
        return 1
    if sys.argv[1:2] == ["--write"]:
        with open(sys.argv[2], "w") as file:
            file.write(picture(arrows))
        return 0
    largest = structs("src/raster")[0]
    if largest[0] > MAX_FIELDS:
        print(f"src/raster: {largest[1]} ({largest[2]}) has {largest[0]} fields, {MAX_FIELDS} are allowed")
    print(f"{len(arrows)} modules, {sum(map(len, arrows.values()))} arrows, no circle; largest struct: {largest}")
    return 1 if largest[0] > MAX_FIELDS else 0


if __name__ == "__main__":
    sys.exit(main())
