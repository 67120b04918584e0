"""Facilities and study area as rasters on the grid, and what became of each facility there."""
import os

import numpy as np
from osgeo import gdal, ogr
from qgis.core import QgsFeatureRequest, QgsGeometry, QgsProcessingException, QgsWkbTypes
from qgis.PyQt.QtCore import QCoreApplication

from .facilities import some_of

translate = QCoreApplication.translate
KINDS = ((gdal.GDT_Byte, 0, 255), (gdal.GDT_UInt16, 0, 65535), (gdal.GDT_Int32, -(2**31), 2**31 - 1))


class Burned:
    """A raster of facilities. Pixels hold a facility's value, `ground` (no facility) or `nodata` (outside the study area);
    both lie outside low to high, the range of the values. Where there is no study area, all that is no facility is nodata."""

    def __init__(self, path, values):
        self.path, self.low, self.high = path, min(values), max(values)
        self.kind, self.nodata, self.ground = choose_kind(self.low, self.high)
        self.present = set()        # values that have at least one pixel
        self.facility_outside = []  # strips with facilities outside the study area: (first row, rows)


def choose_kind(low, high):
    """The smallest type that holds low to high and two more values, 0 being the first choice for nodata."""
    for kind, least, most in KINDS:
        free = [value for value in (0, most, most - 1, least) if not low <= value <= high]
        if least <= low and high <= most and len(free) >= 2:
            return kind, free[0], free[1]
    raise QgsProcessingException(translate("predt", "The ids leave no 32-bit number free for nodata."))


# ---- Burning ----

def straight(geometry):
    """The same without curves."""
    curved = QgsWkbTypes.isCurvedType(geometry.wkbType())
    return QgsGeometry(geometry.constGet().segmentize()) if curved else geometry


def rasterize(dataset, shapes, all_touched, feedback):
    """Burns (geometry, value) pairs; of two that claim a pixel the first one has it."""
    memory = gdal.GetDriverByName("Memory") or gdal.GetDriverByName("MEM")  # the first went into the second with GDAL 3.11
    made = memory.Create("", 0, 0, 0, gdal.GDT_Unknown)
    layer = made.CreateLayer("shapes")
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
    for geometry, value in reversed(shapes):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("value", value)
        feature.SetGeometryDirectly(ogr.CreateGeometryFromWkb(bytes(straight(geometry).asWkb())))
        layer.CreateFeature(feature)
    options = ["ATTRIBUTE=value"] + (["ALL_TOUCHED=TRUE"] if all_touched else [])

    def progress(share, message, user):
        feedback.setProgress(100.0 * share)
        return 0 if feedback.isCanceled() else 1

    gdal.PushErrorHandler("CPLQuietErrorHandler")  # it warns that neither has a CRS: both are in the grid's own
    try:
        failed = gdal.RasterizeLayer(dataset, [1], layer, options=options, callback=progress) != gdal.CE_None
    except RuntimeError:  # where somebody has switched GDAL's exceptions on
        failed = True
    finally:
        gdal.PopErrorHandler()
    if failed and not feedback.isCanceled():
        raise QgsProcessingException(translate("predt", "The features cannot be burned: {}").format(gdal.GetLastErrorMsg()))


def burn_study_area(grid, folder, mask, nodata_of, context, feedback):
    """A raster that is 1 inside: within the polygons of mask, and not nodata in the raster nodata_of; each may be None."""
    area = grid.create(os.path.join(folder, "area.tif"), gdal.GDT_Byte, 0, georeferenced=False)
    if mask:
        request = QgsFeatureRequest().setDestinationCrs(grid.crs, context.transformContext()).setNoAttributes()
        rasterize(area, [(feature.geometry(), 1) for feature in mask.getFeatures(request) if feature.hasGeometry()], False,
                  feedback)
    for row, rows in grid.strips() if nodata_of else ():
        known = nodata_of.GetRasterBand(1).GetMaskBand().ReadAsArray(0, row, grid.width, rows) != 0
        inside = area.ReadAsArray(0, row, grid.width, rows) != 0 if mask else True
        area.GetRasterBand(1).WriteArray((known & inside).astype(np.uint8), 0, row)
    area.FlushCache()
    return area


def burn_facilities(grid, folder, facilities, area, all_touched, feedback):
    """Returns the Burned raster; area may be None."""
    burned = Burned(os.path.join(folder, "facilities.tif"), [facility.value for facility in facilities])
    dataset = grid.create(burned.path, burned.kind, burned.nodata, georeferenced=False)
    for row, rows in grid.strips() if area else ():
        inside = area.ReadAsArray(0, row, grid.width, rows) != 0
        dataset.GetRasterBand(1).WriteArray(np.where(inside, burned.ground, burned.nodata), 0, row)
    shapes = [(geometry, facility.value) for facility in facilities for geometry in facility.geometries]
    rasterize(dataset, shapes, all_touched, feedback)
    for row, rows in grid.strips():
        pixels = dataset.ReadAsArray(0, row, grid.width, rows)
        is_facility = (pixels >= burned.low) & (pixels <= burned.high)
        burned.present.update(np.unique(pixels[is_facility]).tolist())
        if area and (is_facility & (area.ReadAsArray(0, row, grid.width, rows) == 0)).any():
            burned.facility_outside.append((row, rows))
    dataset.SetProjection(grid.projection)
    dataset.FlushCache()
    return burned, dataset


def cut_to_area(grid, burned, area, paths):
    """Facilities outside the study area serve pixels inside it; their own pixels become nodata like all the others there."""
    for path in paths:
        opened = gdal.Open(path, gdal.GA_Update)
        band = opened.GetRasterBand(1)
        for row, rows in burned.facility_outside:
            pixels = band.ReadAsArray(0, row, grid.width, rows)
            pixels[area.ReadAsArray(0, row, grid.width, rows) == 0] = band.GetNoDataValue()
            band.WriteArray(pixels, 0, row)
        band = opened = None


# ---- What became of each ----

def tell_missing(grid, burned, dataset, facilities, feedback):
    """Names the facilities that have no pixel, by reason."""
    outside, sharing, hidden = [], [], []
    outline, by_value = grid.outline(), {facility.value: facility for facility in facilities}
    for facility in facilities:
        if facility.value in burned.present:
            continue
        inside = [geometry for geometry in facility.geometries if geometry.intersects(outline)]
        winner = pixel_owner(grid, dataset, inside[0], by_value) if inside else None
        if winner:
            sharing.append(translate("predt", "{0} (with {1})").format(facility.name, winner.name))
        elif inside:
            hidden.append(facility.name)
        else:
            outside.append(facility.name)
    if not burned.present:
        raise QgsProcessingException(translate("predt", "No facility lies on a pixel of the raster: compare their extents and "
                                                        "CRS."))
    for names, message in (
            (outside, translate("predt", "Outside the raster, not used: {}")),
            (sharing, translate("predt", "In the pixel of another facility, which stands for both: {}")),
            (hidden, translate("predt", "No pixel of their own (they hold no pixel centre, or others cover them), not used: {}"))):
        if names:
            feedback.pushWarning(message.format(some_of(names)))


def pixel_owner(grid, dataset, geometry, by_value):
    """The facility in the pixel of a point; None if the geometry is no point."""
    if QgsWkbTypes.geometryType(geometry.wkbType()) != QgsWkbTypes.GeometryType.PointGeometry:
        return None
    for vertex in geometry.vertices():
        pixel = grid.pixel_of(vertex.x(), vertex.y())
        if pixel:
            return by_value.get(int(dataset.ReadAsArray(*pixel, 1, 1)[0, 0]))
    return None
