#!/bin/sh
# With PREDT_METHODS=OFF the command builds, and its engines are the library's own. Builds it with the compiler of a given
# build, and without CUDA, GDAL driver and tests.
#
#     tests/no_methods/run.sh BUILD_DIR
set -eu

build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

cached() { sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"; }

cmake -G Ninja -S "$source" -B "$work" -DCMAKE_BUILD_TYPE=Debug -DPREDT_METHODS=OFF -DPREDT_CUDA=OFF \
    -DPREDT_GDAL_DRIVER=OFF -DPREDT_TESTS=OFF -DCMAKE_C_COMPILER="$(cached CMAKE_C_COMPILER)" \
    -DCMAKE_C_COMPILER_LAUNCHER="$(cached CMAKE_C_COMPILER_LAUNCHER)" \
    -DGDAL_DIR="$(cached GDAL_DIR)" > "$work/log" 2>&1 || fail "it is not configured: $(cat "$work/log")"
cmake --build "$work" > "$work/log" 2>&1 || fail "it does not build: $(cat "$work/log")"
echo "ok: builds"

engines=$("$work/cli/gdal_predt" -engines | sed '1d; /^ /d; s/ .*//' | tr '\n' ' ')
[ "$engines" = "cpu " ] || fail "-engines lists $engines"
echo "ok: engines"

objects=$(find "$work" -path '*methods*' -name '*.o' ! -name 'no_methods.*')
[ -z "$objects" ] || fail "it compiles $objects"
echo "ok: no method is compiled"
