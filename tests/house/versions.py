"""Whether every file that names predt's version names the same one."""
import os
import re
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))

# A pattern's groups, joined by dots, are the version.
PLACES = {
    "CMakeLists.txt": r"^project\(predt VERSION ([\d.]+)",
    "include/predt.h": r"#define PREDT_VERSION_MAJOR (\d+)\n#define PREDT_VERSION_MINOR (\d+)\n"
                       r"#define PREDT_VERSION_PATCH (\d+)\n",
    "man/gdal_predt.1": r'^\.TH .*"predt ([\d.]+)"',
    "qgis/predt_processing/metadata.txt": r"^version=([\d.]+)$",
    "docs/qgis.md": r"predt_processing-([\d.]+)\.zip",
    "CITATION.cff": r"^version: ([\d.]+)$",
    "CHANGELOG.md": r"^## (?:Unreleased \()?([\d.]+)",
}


def named(path, pattern):
    with open(os.path.join(ROOT, path)) as file:
        found = re.search(pattern, file.read(), re.M)
    return ".".join(found.groups()) if found else "none"


def main():
    versions = {path: named(path, pattern) for path, pattern in PLACES.items()}
    for path, version in versions.items():
        print(f"{version:8} {path}")
    return 0 if len(set(versions.values())) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
