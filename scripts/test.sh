#!/bin/bash
# Builds predt and runs the whole test suite; fails if any test does. Installs missing Debian packages first, if it may.
set -eu
. "$(dirname "$0")/common.sh"

has_libfuzzer() { ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a; }

need_to_build
need pkg-config command -v pkg-config
need libcmocka-dev test -e /usr/include/cmocka.h
need gdal-bin command -v gdalinfo
need binutils command -v readelf
if grep -q bookworm /etc/os-release 2> /dev/null; then # elsewhere the packages have other names
    need clang command -v clang
    need libclang-rt-14-dev has_libfuzzer
    need clang-format command -v clang-format
    need flake8 command -v flake8
fi
need qgis command -v qgis_process.bin
need python3-qgis $python -c 'import qgis.core'
install_missing
build_release -DPREDT_TESTS=ON

say "Testing"
ctest --test-dir "$build" --output-on-failure

if has_libfuzzer > /dev/null 2>&1; then
    say "Fuzzing, some seconds each (scripts/fuzz.sh SECONDS for more)"
    "$root/scripts/fuzz.sh" 5
else
    say "There is no libFuzzer: the fuzzers' corpora were read, and nothing was tried beyond them"
fi
