#!/bin/sh
# Installs a build into an empty folder, moves the tree, and builds the example of docs/library.md against it in both ways
# that other projects would: pkg-config and find_package.
#
#     tests/install/run.sh BUILD_DIR
set -eu

build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

cmake --install "$build" --prefix "$work/first" > "$work/install.log" || fail "cmake --install: $(cat "$work/install.log")"
mv "$work/first" "$work/tree" # nothing in it may depend on where it was put first

# The first C block of the document, from #include to the closing fence.
mkdir "$work/program"
sed -n '/^```c$/,/^```$/{/^```/{/^```$/q;d};p}' "$source/docs/library.md" > "$work/program/program.c"
grep -q 'int main' "$work/program/program.c" || fail "docs/library.md has no complete program"
cp "$source/tests/install/CMakeLists.txt" "$work/program/"

check() { # check NAME COMMAND...: it prints the answer that docs/library.md gives
    name=$1
    shift
    answer=$("$@") || fail "$name does not run"
    [ "$answer" = "2.828427 20" ] || fail "$name prints '$answer'"
    echo "ok: $name"
}

pc=$(find "$work/tree" -name predt.pc)
[ -n "$pc" ] || fail "no predt.pc was installed"
libdir=$(dirname "$(find "$work/tree" -name libpredt.so)")
flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs predt)
# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c11 -Wall -Werror ${PREDT_TEST_CFLAGS:-} "$work/program/program.c" -o "$work/by-pkg-config" $flags
case " $flags " in
*" -lproj "*) fail "programs are linked to PROJ, which only the library uses" ;;
esac
case " $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --static --libs predt) " in
*" -lproj "*) ;;
*) fail "pkg-config --static does not name PROJ" ;;
esac
check pkg-config env LD_LIBRARY_PATH="$libdir" "$work/by-pkg-config"

cmake -G Ninja -S "$work/program" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$work/tree" \
    -DCMAKE_C_FLAGS="${PREDT_TEST_CFLAGS:-}" > "$work/cmake.log" || fail "find_package: $(cat "$work/cmake.log")"
cmake --build "$work/by-cmake" > "$work/cmake.log" || fail "find_package: $(cat "$work/cmake.log")"
check find_package "$work/by-cmake/program"

# The GDAL driver, if it was built: from the installed tree alone, on a sample raster.
plugins=$(find "$work/tree" -name gdalplugins)
if [ -n "$plugins" ]; then
    GDAL_DRIVER_PATH=$plugins gdalinfo -checksum "PREDT:distance:$source/sample_rasters/hospitals.tif" > "$work/info.log" 2>&1 ||
        fail "the installed driver: $(cat "$work/info.log")"
    grep -q 'Driver: PREDT' "$work/info.log" || fail "the installed driver is not used"
    echo "ok: installed driver"
fi

# Only the public interface leaves the library.
strangers=$(nm -D --defined-only "$libdir/libpredt.so" | awk '$3 !~ /^(predt_[a-z]|_init$|_fini$)/ {print $3}')
[ -z "$strangers" ] || fail "libpredt.so exports $strangers"
names=$(nm -D --defined-only "$work/tree/bin/gdal_predt" | awk '$3 ~ /predt_/ {print $3}')
[ -z "$names" ] || fail "gdal_predt exports $names, which the library that the GDAL driver brings would be bound to"
echo "ok: exported names"

# The published methods are the command's (PREDT_METHODS): a program that is linked to the library sees none.
cat > "$work/engines.c" << 'END'
#include <predt.h>
#include <stdio.h>

int main(void) {
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    for (int i = 0; predt_engine_at(i, &info) == PREDT_OK; i++) printf("%s ", info.name);
}
END
# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c11 ${PREDT_TEST_CFLAGS:-} "$work/engines.c" -o "$work/engines" $flags
engines=$(LD_LIBRARY_PATH=$libdir "$work/engines")
case $engines in
"cpu " | "cuda cpu " | "cpu zeros " | "cuda cpu zeros ") echo "ok: engines of the library" ;;
*) fail "the library's engines are $engines" ;;
esac
! grep -aqE 'voronoi-|breu|pr-edt' "$libdir/libpredt.so" || fail "libpredt.so contains a published method"
echo "ok: no published method in the library"

# A minor version of 0.x may change the interface: the name that programs are linked to is that of the minor version.
version=$(sed -n 's/^project(predt VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
case $version in
0.*) soname=libpredt.so.${version%.*} ;;
*) soname=libpredt.so.${version%%.*} ;;
esac
readelf -d "$libdir/libpredt.so" | grep -q "soname: \[$soname\]" || fail "the library is not called $soname"
[ "$(readlink "$libdir/libpredt.so")" = "$soname" ] || fail "libpredt.so does not lead to $soname"
[ "$(readlink "$libdir/$soname")" = "libpredt.so.$version" ] || fail "$soname does not lead to libpredt.so.$version"
for user in "$work/by-pkg-config" "$work/by-cmake/program"; do
    readelf -d "$user" | grep -q "NEEDED.*\[$soname\]" || fail "$user is not linked to $soname"
done
! readelf -d "$work/tree/bin/gdal_predt" | grep -q 'NEEDED.*libpredt' || fail "gdal_predt needs the library, which has no methods"
echo "ok: soname $soname"

case $("$work/tree/bin/gdal_predt" --version) in
*"$version"*) echo "ok: installed command" ;;
*) fail "the installed gdal_predt does not run, or is not version $version" ;;
esac

# The man page knows every option that --help does, by its first name.
page=$work/tree/share/man/man1/gdal_predt.1
[ -f "$page" ] || fail "no man page was installed"
names=$("$work/tree/bin/gdal_predt" --help | sed -n 's/^  --*\([a-z_-]*\).*/\1/p')
[ "$(echo "$names" | wc -l)" -ge 20 ] || fail "--help lists hardly any option: $names"
for name in $names; do
    sed 's/\\//g' "$page" | grep -q "^\.B[IR]* --*$name\>" || fail "the man page has no -$name"
done
echo "ok: man page"

# Where the shells look for completion scripts.
for script in bash-completion/completions/gdal_predt zsh/site-functions/_gdal_predt fish/vendor_completions.d/gdal_predt.fish; do
    [ -s "$work/tree/share/$script" ] || fail "no share/$script was installed"
done
echo "ok: completion scripts"
