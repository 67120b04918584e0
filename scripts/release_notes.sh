#!/bin/sh
# Prints the part of CHANGELOG.md that belongs to a version; fails if there is none, or if the project has another version.
# That all other places name the project's version is tests/house/versions.py's affair.
#
#     scripts/release_notes.sh X.Y.Z
set -eu
version=${1:?usage: scripts/release_notes.sh X.Y.Z}
cd "$(dirname "$0")/.."

here=$(sed -n 's/^project(predt VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ "$here" = "$version" ] || { echo "CMakeLists.txt says $here, not $version" >&2; exit 1; }
grep -q "^## $version" CHANGELOG.md || { echo "CHANGELOG.md has no section $version" >&2; exit 1; }
sed -n "/^## $version/,/^## /{/^## /d;p}" CHANGELOG.md
