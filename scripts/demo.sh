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
rm -f "$out"/{proximity,allocation,to_land,to_sea}.tif* "$out"/{picture,world}.png*

predt() {
    say "Running:" gdal_predt "$@"
    "$build/cli/gdal_predt" "$@"
}

predt -distunits KM -use_input_nodata YES -allocation "$out/allocation.tif" "$root/sample_rasters/hospitals.tif" \
    "$out/proximity.tif"
$python "$root/scripts/picture.py" "$root/sample_rasters/hospitals.tif" "$out/proximity.tif" "$out/allocation.tif" \
    "$out/picture.png"

predt -distunits KM "$root/sample_rasters/world.tif" "$out/to_land.tif"
predt -distunits KM -values 0 "$root/sample_rasters/world.tif" "$out/to_sea.tif"
$python "$root/scripts/world_picture.py" "$out/to_land.tif" "$out/to_sea.tif" "$out/world.png"

say "Done:"
echo "$out/proximity.tif    kilometres to the nearest hospital"
echo "$out/allocation.tif   which hospital that is"
echo "$out/picture.png      hospitals, distance and allocation side by side"
echo "$out/to_land.tif      kilometres from the sea to land, along the ellipsoid"
echo "$out/to_sea.tif       and from land to the sea"
echo "$out/world.png        the two in one picture, with the farthest pixels"
