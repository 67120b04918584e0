#!/bin/bash
# Takes the pictures of docs/qgis.md and docs/tutorial-hospitals.md in QGIS Desktop itself, on a screen that nobody sees.
#
#     qgis/screenshots.sh FOLDER_OF_GDAL_PREDT [OUT]        OUT: docs/images
#
# Needs qgis, python3-qgis, xvfb and fonts (Debian: fonts-dejavu-core); pngquant, if there, makes the files smaller.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
commands=$(cd "$1" && pwd)
out=$(mkdir -p "${2:-$here/../docs/images}" && cd "${2:-$here/../docs/images}" && pwd)

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -m 700 "$home/run" "$home/tmp"  # QGIS marks layers under TMPDIR as temporary: the data lie beside it
profile=$home/.local/share/QGIS/QGIS3/profiles/default/QGIS
mkdir -p "$profile" "$home/data"
cp "$here"/../sample_rasters/hospitals.* "$home/data"
cp "$here/screenshots.ini" "$profile/QGIS3.ini"

env -u WAYLAND_DISPLAY HOME="$home" XDG_RUNTIME_DIR="$home/run" TMPDIR="$home/tmp" PATH="$commands:$PATH" QGIS_PLUGINPATH="$here" \
    QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 SHOTS_OUT="$out" SHOTS_DATA="$home/data" \
    timeout 300 xvfb-run -a -s "-screen 0 1280x800x24" \
    qgis --nologo --noversioncheck --profile default --code "$here/screenshots.py" || true

for name in toolbox dialog map distance table; do
    picture=$out/qgis-$name.png
    [ -e "$picture" ] || { echo "$picture was not made" >&2; exit 1; }
    if command -v pngquant > /dev/null; then pngquant --force --speed 1 --ext .png "$picture"; fi
    ls -l "$picture"
done
