# Shared by demo.sh and test.sh: what a machine needs, and the build. Sourced by bash with `set -eu`.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
python=/usr/bin/python3 # Debian's own: the one that python3-gdal belongs to

say() { echo "==> $*"; }

missing=()

# need PACKAGE COMMAND...: the package is missing if the command fails.
need() {
    local package=$1
    shift
    "$@" > /dev/null 2>&1 || missing+=("$package")
}

need_to_build() {
    need cmake command -v cmake
    need ninja-build command -v ninja
    need gcc command -v cc
    need g++ command -v c++
    need libc6-dev test -e /usr/include/stdlib.h
    need libgdal-dev command -v gdal-config
    need libproj-dev test -e /usr/include/geodesic.h
    need python3-gdal $python -c 'from osgeo import gdal'
    need python3-numpy $python -c 'import numpy'
}

# Installs what `need` found missing, or says how to.
install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    local install="apt-get install -y --no-install-recommends ${missing[*]}" as_root=
    if ! command -v apt-get > /dev/null; then
        echo "Missing, under their Debian names: ${missing[*]}. Please install them and start again." >&2
        exit 1
    elif [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo > /dev/null || ! { sudo -n true 2> /dev/null || [ -t 0 ]; }; then
            echo "Some packages are missing. Please run this as root, then start again:" >&2
            echo "    apt-get update && $install" >&2
            exit 1
        fi
        as_root="sudo "
    fi
    say "Missing: ${missing[*]}"
    say "Running: ${as_root}apt-get update"
    ${as_root}apt-get update -q
    say "Running: $as_root$install"
    ${as_root}env DEBIAN_FRONTEND=noninteractive $install -q
}

# build_release OPTION...: configures with the options given to cmake and builds into build/.
build_release() {
    say "Building into $build"
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
    cmake --build "$build" --parallel "$(nproc)"
}
