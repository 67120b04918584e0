"""Whether every C, C++ and CUDA file is as clang-format leaves it, with no line over the limit of .clang-format."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDERS = ("include", "src", "gpu", "cli", "gdal_driver", "tests", "bench")
VERSION = 14  # each version of it has its own mind
SKIPPED = 77


def files():
    for top in FOLDERS:
        for folder, folders, names in os.walk(os.path.join(ROOT, top)):
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names)
                        if name.endswith((".c", ".h", ".cpp", ".cu", ".cuh")))


def formatter():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        found = shutil.which(name)
        if found and f"version {VERSION}." in subprocess.run([found, "--version"], capture_output=True, text=True).stdout:
            return found
    return None


def too_long(path, limit):
    with open(path) as file:
        return [f"{os.path.relpath(path, ROOT)}:{number}: {len(line.rstrip())} columns" for number, line in enumerate(file, 1)
                if len(line.rstrip("\n")) > limit]


def main():
    with open(os.path.join(ROOT, ".clang-format")) as file:
        limit = int(re.search(r"ColumnLimit: (\d+)", file.read())[1])
    wrong = [line for path in files() for line in too_long(path, limit)]
    program = formatter()
    if program:
        run = subprocess.run([program, "--dry-run", "--Werror", *files()], cwd=ROOT, capture_output=True, text=True)
        wrong += sorted({line.split(":")[0] + ": run clang-format -i" for line in run.stderr.splitlines()
                         if ": error:" in line})
    print("\n".join(wrong))
    if not program and not wrong:
        print(f"clang-format {VERSION} is not installed: only the length of lines was looked at")
    return 1 if wrong else 0 if program else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
