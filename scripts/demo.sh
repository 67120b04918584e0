#!/bin/bash
# Builds predt and runs it on a sample raster; leaves two GeoTIFFs and a picture in demo_out/.
# Installs missing Debian packages first, if it may.
set -eu
. "$(dirname "$0")/common.sh"

need_to_build
install_missing
build_release -DPREDT_TESTS=OFF

out=$root/demo_out
mkdir -p "$out"
rm -f "$out"/proximity.tif* "$out"/allocation.tif* "$out"/picture.png*

run=("$build/cli/gdal_predt" -distunits KM -use_input_nodata YES -allocation "$out/allocation.tif"
    "$root/sample_rasters/hospitals.tif" "$out/proximity.tif")
say "Running:" "${run[@]}"
"${run[@]}"
$python "$root/scripts/picture.py" "$root/sample_rasters/hospitals.tif" "$out/proximity.tif" "$out/allocation.tif" \
    "$out/picture.png"

say "Done:"
echo "$out/proximity.tif    kilometres to the nearest hospital"
echo "$out/allocation.tif   which hospital that is"
echo "$out/picture.png      hospitals, distance and allocation side by side"
