#!/usr/bin/python3
"""Draws a source, its distances and its allocation side by side.

    picture.py source.tif proximity.tif allocation.tif picture.png

The source is a labelled raster with a colour table; its targets are drawn as dots on all three."""
import sys

import numpy as np
from osgeo import gdal

gdal.UseExceptions()

SHRINK = 2   # the picture's pixels are this many raster pixels wide, averaged
MARGIN = 12  # pixels of the picture
DOT = 8.5    # radius in raster pixels
NODATA = (214, 226, 234)
BORDER = (255, 255, 255)
RAMP = np.array([(255, 250, 205), (253, 204, 120), (244, 130, 90), (195, 64, 110), (104, 35, 120), (40, 20, 75)], float)
ISOLINES = 10


def open_band(path):
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(1)
    return dataset, band, band.ReadAsArray(), band.GetNoDataValue()


def is_nodata(pixels, nodata):
    if nodata is None:
        return np.zeros(pixels.shape, bool)
    return np.isnan(pixels) if np.isnan(nodata) else pixels == nodata


def through_table(pixels, band):
    table = band.GetColorTable()
    entries = np.array([table.GetColorEntry(i)[:3] for i in range(table.GetCount())], np.uint8)
    return entries[pixels]


def edges(classes):
    """Pixels whose class differs from that of the pixel to the right or below."""
    differs = np.zeros(classes.shape, bool)
    differs[:, :-1] |= classes[:, :-1] != classes[:, 1:]
    differs[:-1] |= classes[:-1] != classes[1:]
    return differs


def thicken(lines):
    wide = lines.copy()
    wide[1:] |= lines[:-1]
    wide[:, 1:] |= lines[:, :-1]
    return wide


def distance_picture(distance, empty):
    share = np.where(empty, 0, distance) / distance[~empty].max()
    place = share * (len(RAMP) - 1)
    rgb = np.stack([np.interp(place, range(len(RAMP)), RAMP[:, channel]) for channel in range(3)], axis=-1)
    lines = edges((share * ISOLINES).astype(int)) & ~empty
    rgb[lines] = rgb[lines] * 0.75 + 64 * (share[lines] > 0.55)[:, None]
    return rgb


def draw_dots(rgb, targets):
    rows, cols = np.mgrid[: rgb.shape[0], : rgb.shape[1]]
    for row, col in targets:
        reach = np.hypot(rows - row, cols - col)
        rgb[reach <= DOT] = (255, 255, 255)
        rgb[reach <= DOT - 3] = (30, 30, 40)


def shrink(rgb):
    rows, cols = rgb.shape[0] // SHRINK, rgb.shape[1] // SHRINK
    blocks = rgb[: rows * SHRINK, : cols * SHRINK].astype(float).reshape(rows, SHRINK, cols, SHRINK, 3)
    return blocks.mean(axis=(1, 3))


def save(panels, path):
    rows, cols = panels[0].shape[:2]
    sheet = np.full((rows + 2 * MARGIN, len(panels) * (cols + MARGIN) + MARGIN, 3), 255, np.uint8)
    for number, panel in enumerate(panels):
        left = MARGIN + number * (cols + MARGIN)
        sheet[MARGIN : MARGIN + rows, left : left + cols] = np.rint(panel)
    memory = gdal.GetDriverByName("MEM").Create("", sheet.shape[1], sheet.shape[0], 3)
    memory.WriteArray(sheet.transpose(2, 0, 1))
    gdal.GetDriverByName("PNG").CreateCopy(path, memory, options=["ZLEVEL=9"])


def main(source_path, distance_path, allocation_path, picture_path):
    source_dataset, source_band, source, source_nodata = open_band(source_path)
    distance_dataset, _, distance, distance_nodata = open_band(distance_path)
    allocation_dataset, allocation_band, allocation, allocation_nodata = open_band(allocation_path)
    targets = np.argwhere((source != 0) & ~is_nodata(source, source_nodata))
    empty = is_nodata(distance, distance_nodata)

    land = np.where(empty[..., None], np.uint8(NODATA), through_table(source, source_band))
    far = distance_picture(distance, empty)
    zones = through_table(allocation, allocation_band)
    zones[thicken(edges(allocation))] = BORDER
    for panel in (far, zones):
        panel[empty] = NODATA
    for panel in (land, far, zones):
        draw_dots(panel, targets)
    save([shrink(panel) for panel in (land, far, zones)], picture_path)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
