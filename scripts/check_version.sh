#!/bin/bash
# Whether all places that say the version agree with CMakeLists.txt; and with a tag, if one is given: check_version.sh [v1.2.3]
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(predt VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
wrong=0
says() { # FILE VERSION
    [ "$2" = "$version" ] || { echo "$1 says ${2:-nothing}, CMakeLists.txt says $version" >&2; wrong=1; }
}
header() { sed -n "s/^#define PREDT_VERSION_$1 //p" include/predt.h; }

says include/predt.h "$(header MAJOR).$(header MINOR).$(header PATCH)"
says man/gdal_predt.1 "$(sed -n 's/^\.TH .*"predt \([0-9.]*\)".*/\1/p' man/gdal_predt.1)"
says qgis/predt_processing/metadata.txt "$(sed -n 's/^version=//p' qgis/predt_processing/metadata.txt)"
says CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)"
if [ $# -gt 0 ]; then
    says "the tag" "${1#v}"
    grep -q "^## $version" CHANGELOG.md || { echo "CHANGELOG.md has no section $version" >&2; wrong=1; }
fi
exit $wrong
