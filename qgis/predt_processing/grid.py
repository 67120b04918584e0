"""The grid of the result: that of a reference raster, or an extent cut into square pixels."""
import math

import numpy as np
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry, QgsProcessingException, QgsUnitTypes
from qgis.PyQt.QtCore import QCoreApplication

from .measure import areas_of_rows

translate = QCoreApplication.translate
MOST_PIXELS_A_SIDE = 2**31 - 1
MOST_PIXELS = 2**40      # a million by a million: 5 TB of results, days of work
PIECE = 1 << 22    # pixels held at a time, about: what numpy and GDAL do with them takes some tenths of a second
TILE = 256         # side of the tiles that a working raster is made of


class Grid:
    """width and height in pixels; transform: GDAL's six numbers; crs: QGIS's; projection: the same as WKT for GDAL."""

    def __init__(self, width, height, transform, crs, projection=None):
        self.width, self.height, self.transform, self.crs = width, height, transform, crs
        self.projection = projection or crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL)

    def create(self, path, kind, nodata, georeferenced=True):
        """A tiled GeoTIFF of one band that takes no room where it is all nodata."""
        options = ["TILED=YES", "COMPRESS=LZW", "SPARSE_OK=TRUE", "BIGTIFF=IF_SAFER"]
        made = gdal.GetDriverByName("GTiff").Create(path, self.width, self.height, 1, kind, options)
        if made is None:
            raise QgsProcessingException(gdal.GetLastErrorMsg())
        made.SetGeoTransform(self.transform)
        if georeferenced:
            made.SetProjection(self.projection)
        made.GetRasterBand(1).SetNoDataValue(nodata)
        return made

    def pieces(self):
        """(first column, first row, columns, rows) of parts that fit in memory and are made of whole tiles."""
        cols = min(self.width, max(TILE, PIECE // TILE // TILE * TILE))
        rows = max(TILE, PIECE // cols // TILE * TILE)
        return self.cut(cols, rows)

    def strips(self):
        """The same, but whole rows as long as one fits in memory."""
        cols = min(self.width, PIECE)
        return self.cut(cols, max(1, PIECE // 4 // cols))

    def cut(self, cols, rows):
        for row in range(0, self.height, rows):
            for col in range(0, self.width, cols):
                yield col, row, min(cols, self.width - col), min(rows, self.height - row)

    def share(self, col, row):
        """Of the work that goes through pieces in order, what is done before this one: 0 to 100."""
        return 100.0 * (row + col / self.width * TILE) / (self.height + TILE)

    def window(self, col, row):
        """The transform of a piece that begins there."""
        x, y = self.to_map(col, row)
        return (x, *self.transform[1:3], y, *self.transform[4:])

    def to_map(self, col, row):
        x0, dx_col, dx_row, y0, dy_col, dy_row = self.transform
        return x0 + col * dx_col + row * dx_row, y0 + col * dy_col + row * dy_row

    def pixels_of(self, x, y):
        """Columns and rows (arrays) of the pixels that hold these points; they may lie outside the grid."""
        x0, dx_col, dx_row, y0, dy_col, dy_row = self.transform
        determinant = dx_col * dy_row - dx_row * dy_col
        return (np.floor(((x - x0) * dy_row - (y - y0) * dx_row) / determinant),
                np.floor(((y - y0) * dx_col - (x - x0) * dy_col) / determinant))

    def pixel_of(self, x, y):
        """(column, row) of the pixel that holds the point, or None."""
        col, row = self.pixels_of(x, y)
        return (int(col), int(row)) if 0 <= col < self.width and 0 <= row < self.height else None

    def outline(self):
        corners = [self.to_map(col, row) for col, row in
                   ((0, 0), (self.width, 0), (self.width, self.height), (0, self.height))]
        ring = ", ".join(f"{x!r} {y!r}" for x, y in [*corners, corners[0]])
        return QgsGeometry.fromWkt(f"POLYGON(({ring}))")

    def pixel_areas(self, on_ellipsoid=False):
        """Area of a pixel in each row, and the unit in words. In degrees they are always those on the ellipsoid."""
        _, dx_col, dx_row, _, dy_col, dy_row = self.transform
        if (on_ellipsoid or self.crs.isGeographic()) and not (dx_row or dy_col):
            return areas_of_rows(self.crs, self.transform, self.height), translate("predt", "square metres on the ellipsoid")
        unit = translate("predt", "square degrees (the grid is rotated)")
        if not self.crs.isGeographic():
            unit = QgsUnitTypes.toString(QgsUnitTypes.distanceToAreaUnit(self.crs.mapUnits()))
        return np.full(self.height, abs(dx_col * dy_row - dx_row * dy_col)), unit


def grid_of_raster(layer):
    """The grid of a raster layer, rotation included where GDAL reads it."""
    crs = layer.crs()
    opened = gdal.Open(layer.source()) if layer.providerType() == "gdal" else None
    if opened is None:
        extent = layer.extent()
        transform = (extent.xMinimum(), extent.width() / layer.width(), 0.0,
                     extent.yMaximum(), 0.0, -extent.height() / layer.height())
        return Grid(layer.width(), layer.height(), transform, crs)
    transform = opened.GetGeoTransform(can_return_null=True)
    if transform is None:
        raise QgsProcessingException(translate("predt", "The reference raster {} has no place on the map: it has no "
                                                        "georeference.").format(layer.name()))
    projection = opened.GetProjection()
    unchanged = QgsCoordinateReferenceSystem.fromWkt(projection) == crs  # in QGIS a layer can be given another CRS
    return Grid(opened.RasterXSize, opened.RasterYSize, transform, crs, projection if unchanged else None)


def grid_of_extent(extent, pixel_size, crs):
    """From the extent's north-west corner, to the east and south until it is covered."""
    unit = unit_of(crs)
    numbers = (extent.xMinimum(), extent.xMaximum(), extent.yMinimum(), extent.yMaximum())
    if not all(map(math.isfinite, numbers)):
        raise QgsProcessingException(translate("predt", "The extent is not four finite numbers: {}").format(
            ", ".join(f"{number:g}" for number in numbers)))
    if not (math.isfinite(pixel_size) and pixel_size > 0):
        raise QgsProcessingException(translate("predt", "The pixel size is {:g}: give a number larger than "
                                                        "0.").format(pixel_size))
    if not min(extent.width(), extent.height()) > 0:
        raise QgsProcessingException(translate("predt", "The extent is empty: {0:g} x {1:g} {2}.").format(
            extent.width(), extent.height(), unit))
    if pixel_size > min(extent.width(), extent.height()) * (1 + 1e-6):
        raise QgsProcessingException(translate(
            "predt", "Pixels of {0:g} {1} are larger than the extent, which has {2:g} x {3:g} {1} in {4}: choose a smaller "
                     "pixel size, or with the parameter CRS a CRS in whose units it is meant.").format(
                         pixel_size, unit, extent.width(), extent.height(), name_of(crs)))
    sides = [max(1, math.ceil(length / pixel_size - 1e-6)) for length in (extent.width(), extent.height())]
    if max(sides) > MOST_PIXELS_A_SIDE or sides[0] * sides[1] > MOST_PIXELS:
        raise QgsProcessingException(translate(
            "predt", "{0:,} x {1:,} pixels of {2:g} {3} are too many: choose larger ones, or a smaller extent.").format(
                *sides, pixel_size, unit))
    return Grid(*sides, (extent.xMinimum(), pixel_size, 0.0, extent.yMaximum(), 0.0, -pixel_size), crs)


def unit_of(crs):
    """In words; in the plural."""
    return QgsUnitTypes.toString(crs.mapUnits()) if crs.isValid() else translate("predt", "units")


def name_of(crs):
    return crs.authid() or crs.description() or translate("predt", "a CRS without a name")
