#!/bin/sh
# Compares the library's binary interface with the committed one, abi.txt: the names it exports, its soname, and where the
# members of its structs lie (of a 64-bit machine). Needs binutils and what layout.c was compiled to.
#
#     tests/abi/check.sh LAYOUT_PROGRAM LIBRARY [--update]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
now=$(mktemp)
trap 'rm -f "$now"' EXIT

{
    readelf -d "$2" | sed -n 's/.*soname: \[\(.*\)\].*/soname \1/p'
    # What a sanitizer or a profiler puts in is not ours: install/run.sh looks for strangers.
    nm -D --defined-only "$2" | awk '$3 ~ /^predt_/ {print "function " $3}' | LC_ALL=C sort
    "$1"
} > "$now"

if [ "${3:-}" = --update ]; then
    cp "$now" "$here/abi.txt"
    exit
fi
diff -u "$here/abi.txt" "$now" && exit
cat << 'END'

The binary interface has changed (- what is committed, + what was built). Programs that are linked to the library rely on it:
  - a line is gone or different (a function, a size that shrank, a member that moved): those programs break. Undo it, or raise the
    minor version (0.x; from 1.0 on the major one) in CMakeLists.txt and predt.h, which changes the soname, and say so in CHANGELOG.md;
  - lines were only added (a function, members at the end of a struct and the struct's new size): allowed in any version. A new member
    needs a default that means "as before", in its PREDT_..._INIT, and must not lie in what was padding at the end.
Then run tests/abi/check.sh with the same arguments and --update, and commit abi.txt.
END
exit 1
