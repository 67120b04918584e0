"""The grid of the result: that of a reference raster, or an extent cut into square pixels."""
import math

import numpy as np
from osgeo import gdal
from qgis.core import (QgsCoordinateReferenceSystem, QgsDistanceArea, QgsGeometry, QgsProcessingException, QgsRectangle,
                       QgsUnitTypes)
from qgis.PyQt.QtCore import QCoreApplication

translate = QCoreApplication.translate
MOST_PIXELS_A_SIDE = 2**31 - 1
STRIP = 1 << 22    # pixels held at a time, about
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

    def strips(self):
        """(first row, rows) of pieces that fit in memory, whole tiles high where that is possible."""
        rows = STRIP // self.width // TILE * TILE or max(1, STRIP // self.width)
        return [(row, min(rows, self.height - row)) for row in range(0, self.height, rows)]

    def to_map(self, col, row):
        x0, dx_col, dx_row, y0, dy_col, dy_row = self.transform
        return x0 + col * dx_col + row * dx_row, y0 + col * dy_col + row * dy_row

    def pixel_of(self, x, y):
        """(column, row) of the pixel that holds the point, or None."""
        x0, dx_col, dx_row, y0, dy_col, dy_row = self.transform
        determinant = dx_col * dy_row - dx_row * dy_col
        col = math.floor(((x - x0) * dy_row - (y - y0) * dx_row) / determinant)
        row = math.floor(((y - y0) * dx_col - (x - x0) * dy_col) / determinant)
        return (col, row) if 0 <= col < self.width and 0 <= row < self.height else None

    def outline(self):
        corners = [self.to_map(col, row) for col, row in
                   ((0, 0), (self.width, 0), (self.width, self.height), (0, self.height))]
        ring = ", ".join(f"{x!r} {y!r}" for x, y in [*corners, corners[0]])
        return QgsGeometry.fromWkt(f"POLYGON(({ring}))")

    def pixel_areas(self, context):
        """Area of a pixel in each row, and the unit in words. In degrees: square metres on the ellipsoid."""
        x0, dx_col, dx_row, y0, dy_col, dy_row = self.transform
        flat = abs(dx_col * dy_row - dx_row * dy_col)
        if not self.crs.isGeographic():
            unit = QgsUnitTypes.toString(QgsUnitTypes.distanceToAreaUnit(self.crs.mapUnits()))
            return np.full(self.height, flat), unit
        if dx_row or dy_col:
            return np.full(self.height, flat), translate("predt", "square degrees (the grid is rotated)")
        measure = QgsDistanceArea()
        measure.setSourceCrs(self.crs, context.transformContext())
        measure.setEllipsoid(self.crs.ellipsoidAcronym())
        rectangle = (QgsRectangle(x0, y0 + row * dy_row, x0 + dx_col, y0 + (row + 1) * dy_row) for row in range(self.height))
        areas = np.array([measure.measureArea(QgsGeometry.fromRect(pixel)) for pixel in rectangle])
        return areas, translate("predt", "square metres on the ellipsoid")


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
    sides = [max(1, math.ceil(length / pixel_size - 1e-6)) for length in (extent.width(), extent.height())]
    if max(sides) > MOST_PIXELS_A_SIDE:
        raise QgsProcessingException(translate("predt", "{0} x {1} pixels are too many: choose larger ones.").format(*sides))
    return Grid(*sides, (extent.xMinimum(), pixel_size, 0.0, extent.yMaximum(), 0.0, -pixel_size), crs)
