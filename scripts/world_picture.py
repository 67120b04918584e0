#!/usr/bin/python3
"""Draws how far the sea is from land and the land from the sea, with the two farthest pixels as dots.

    world_picture.py to_land.tif to_sea.tif picture.png

to_land.tif: distances with land as the target, 0 on land; to_sea.tif: with the sea."""
import sys

import numpy as np
from osgeo import gdal
from picture import DOT, edges

gdal.UseExceptions()

ZOOM = 2         # pixels of the picture to one of the raster
SEA = np.array([(226, 240, 248), (160, 205, 232), (92, 155, 208), (45, 95, 165), (18, 40, 100)], float)
LAND = np.array([(250, 244, 224), (246, 214, 150), (226, 156, 90), (172, 92, 58), (98, 44, 40)], float)
ISOLINE = 500  # km


def ramp(share, colours):
    place = share * (len(colours) - 1)
    return np.stack([np.interp(place, range(len(colours)), colours[:, channel]) for channel in range(3)], axis=-1)


def draw(distance, colours):
    rgb = ramp(distance / distance.max(), colours)
    lines = edges((distance // ISOLINE).astype(int))
    rgb[lines] *= 0.82
    return rgb


def main(to_land_path, to_sea_path, picture_path):
    to_land, to_sea = (gdal.Open(path).ReadAsArray() for path in (to_land_path, to_sea_path))
    rgb = np.where((to_sea > 0)[..., None], draw(to_sea, LAND), draw(to_land, SEA))
    rgb = rgb.repeat(ZOOM, axis=0).repeat(ZOOM, axis=1)
    rows, cols = np.mgrid[: rgb.shape[0], : rgb.shape[1]]
    for distance in (to_land, to_sea):
        row, col = np.unravel_index(distance.argmax(), distance.shape)
        reach = np.hypot(rows - (row + 0.5) * ZOOM, cols - (col + 0.5) * ZOOM)
        rgb[reach <= DOT] = (255, 255, 255)
        rgb[reach <= DOT - 3] = (200, 30, 40)
    memory = gdal.GetDriverByName("MEM").Create("", rgb.shape[1], rgb.shape[0], 3)
    memory.WriteArray(np.rint(rgb).astype(np.uint8).transpose(2, 0, 1))
    gdal.GetDriverByName("PNG").CreateCopy(picture_path, memory, options=["ZLEVEL=9"])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
