#!/bin/bash
# Builds predt and runs the whole test suite; fails if any test does. Installs missing Debian packages first, if it may.
set -eu
. "$(dirname "$0")/common.sh"

need_to_build
need g++ command -v c++
need pkg-config command -v pkg-config
need libcmocka-dev test -e /usr/include/cmocka.h
need gdal-bin command -v gdalinfo
need qgis command -v qgis_process.bin
need python3-qgis $python -c 'import qgis.core'
install_missing
build_release -DPREDT_TESTS=ON

say "Testing"
ctest --test-dir "$build" --output-on-failure
