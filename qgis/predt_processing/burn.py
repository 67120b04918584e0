"""Facilities and study area as rasters on the grid, and what became of each facility there."""
import os

import numpy as np
from osgeo import gdal, gdal_array, ogr
from qgis.core import QgsFeatureRequest, QgsGeometry, QgsProcessingException, QgsWkbTypes
from qgis.PyQt.QtCore import QCoreApplication

from .facilities import some_of

translate = QCoreApplication.translate
BATCH = 1000  # features burned between two looks at the cancel button
KINDS = ((gdal.GDT_Byte, 0, 255), (gdal.GDT_UInt16, 0, 65535), (gdal.GDT_Int32, -(2**31), 2**31 - 1))


class Burned:
    """A raster of facilities. Pixels hold a facility's value, `ground` (no facility) or `nodata` (outside the study area);
    both lie outside low to high, the range of the values. Where there is no study area, all that is no facility is nodata."""

    def __init__(self, path, values):
        self.path, self.low, self.high = path, min(values), max(values)
        self.kind, self.nodata, self.ground = choose_kind(self.low, self.high)
        self.present = set()        # values that have at least one pixel
        self.facility_outside = []  # pieces with facilities outside the study area


def choose_kind(low, high):
    """The smallest type that holds low to high and two more values, 0 being the first choice for nodata."""
    for kind, least, most in KINDS:
        free = [value for value in (0, most, most - 1, least) if not low <= value <= high]
        if least <= low and high <= most and len(free) >= 2:
            return kind, free[0], free[1]
    raise QgsProcessingException(translate("predt", "The ids leave no 32-bit number free for nodata."))


# ---- Shapes ----

class Shapes:
    """(geometry, value) pairs in the grid's CRS, and which pixels each can reach, so that a piece of the grid looks at its own
    alone. Of two that claim a pixel the first one has it."""

    def __init__(self, grid, shapes, all_touched, feedback):
        self.grid, self.all_touched = grid, all_touched
        self.geometries, self.values, boxes, points = [], [], [], True
        for count, (geometry, value) in enumerate(shapes):
            if count % 1000 == 0 and feedback.isCanceled():
                break
            box = geometry.boundingBox()
            boxes.append((box.xMinimum(), box.xMaximum(), box.yMinimum(), box.yMaximum()))
            points = points and box.width() == 0 == box.height()
            self.geometries.append(geometry)
            self.values.append(value)
        self.values = np.array(self.values, np.int64)
        self.set_reach(np.array(boxes).reshape(-1, 4))
        self.points = points

    def set_reach(self, boxes):
        west, east, south, north = boxes.T
        corners = [self.grid.pixels_of(x, y) for x in (west, east) for y in (south, north)]
        self.first_col, self.last_col = (choose([col for col, _ in corners], axis=0) for choose in (np.min, np.max))
        self.first_row, self.last_row = (choose([row for _, row in corners], axis=0) for choose in (np.min, np.max))

    def within(self, col, row, cols, rows):
        """Places of those that reach the piece, a pixel of doubt around them included."""
        return np.flatnonzero((self.first_col <= col + cols) & (self.last_col >= col - 1)
                              & (self.first_row <= row + rows) & (self.last_row >= row - 1))

    def burn(self, pixels, piece, feedback):
        """Into an array that holds the piece. Returns False where nothing of them lies in it, or after a cancel."""
        mine = self.within(*piece)
        if not len(mine):
            return False
        mine = mine[::-1]  # the last one burned stays
        if self.points:
            self.burn_points(pixels, piece, mine)
        else:
            self.burn_shapes(pixels, piece, mine, feedback)
        return not feedback.isCanceled()

    def burn_points(self, pixels, piece, mine):
        cols, rows = self.first_col[mine] - piece[0], self.first_row[mine] - piece[1]
        inside = (cols >= 0) & (cols < piece[2]) & (rows >= 0) & (rows < piece[3])
        pixels[rows[inside].astype(np.int64), cols[inside].astype(np.int64)] = self.values[mine[inside]]

    def burn_shapes(self, pixels, piece, mine, feedback):
        made = gdal_array.OpenArray(pixels)
        made.SetGeoTransform(self.grid.window(*piece[:2]))
        for first in range(0, len(mine), BATCH):
            if feedback.isCanceled():
                break
            batch = mine[first:first + BATCH]
            rasterize(made, [(self.geometries[place], int(self.values[place])) for place in batch], self.all_touched)
        made.FlushCache()


def straight(geometry):
    """The same without curves."""
    curved = QgsWkbTypes.isCurvedType(geometry.wkbType())
    return QgsGeometry(geometry.constGet().segmentize()) if curved else geometry


def rasterize(dataset, shapes, all_touched):
    """Burns (geometry, value) pairs, one over the other."""
    memory = ogr.GetDriverByName("Memory") or ogr.GetDriverByName("MEM")  # the first went into the second with GDAL 3.11
    made = memory.CreateDataSource("")
    layer = made.CreateLayer("shapes")
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
    for geometry, value in shapes:
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("value", value)
        feature.SetGeometryDirectly(ogr.CreateGeometryFromWkb(bytes(straight(geometry).asWkb())))
        layer.CreateFeature(feature)
    options = ["ATTRIBUTE=value"] + (["ALL_TOUCHED=TRUE"] if all_touched else [])
    gdal.PushErrorHandler("CPLQuietErrorHandler")  # it warns that neither has a CRS: both are in the grid's own
    try:
        failed = gdal.RasterizeLayer(dataset, [1], layer, options=options) != gdal.CE_None
    except RuntimeError:  # where somebody has switched GDAL's exceptions on
        failed = True
    finally:
        gdal.PopErrorHandler()
    if failed:
        raise QgsProcessingException(translate("predt", "The features cannot be burned: {}").format(gdal.GetLastErrorMsg()))


# ---- Rasters ----

def read(band, col, row, cols, rows):
    try:
        pixels = band.ReadAsArray(col, row, cols, rows)
    except RuntimeError:
        pixels = None
    if pixels is None:
        raise QgsProcessingException(translate("predt", "Pixels cannot be read: {}").format(gdal.GetLastErrorMsg()))
    return pixels


def write(band, pixels, piece, flush=True):
    """And to the file with it, so that no long flush comes later."""
    try:
        failed = band.WriteArray(pixels, *piece[:2]) or flush and band.FlushCache()
    except RuntimeError:
        failed = True
    if failed:
        why = gdal.GetLastErrorMsg()
        raise QgsProcessingException(translate("predt", "A working raster cannot be written: {}").format(why))


def burn_study_area(grid, folder, mask, nodata_of, context, feedback):
    """A raster that is 1 inside: within the polygons of mask, and not nodata in the raster nodata_of; each may be None."""
    area = grid.create(os.path.join(folder, "area.tif"), gdal.GDT_Byte, 0, georeferenced=False)
    shapes, band, inside = mask_shapes(grid, mask, context, feedback) if mask else None, area.GetRasterBand(1), 0
    for piece in grid.pieces():
        if feedback.isCanceled():
            return None
        feedback.setProgress(grid.share(*piece[:2]))
        pixels = np.zeros(piece[:1:-1], np.uint8) if mask else np.ones(piece[:1:-1], np.uint8)
        if mask and not shapes.burn(pixels, piece, feedback):
            continue
        if nodata_of:
            pixels[read(nodata_of.GetRasterBand(1).GetMaskBand(), *piece) == 0] = 0
        inside += np.count_nonzero(pixels)
        write(band, pixels, piece)
    if not inside:
        warn_of_no_area(grid, shapes, nodata_of, feedback)
    return area


def mask_shapes(grid, mask, context, feedback):
    request = QgsFeatureRequest().setDestinationCrs(grid.crs, context.transformContext()).setNoAttributes()
    return Shapes(grid, ((feature.geometry(), 1) for feature in mask.getFeatures(request) if not feature.geometry().isEmpty()),
                  False, feedback)


def warn_of_no_area(grid, shapes, nodata_of, feedback):
    why = translate("predt", "its polygons and the known pixels of the reference raster have none in common")
    if shapes and not len(shapes.values):
        why = translate("predt", "its layer has no polygon that could be used")
    elif shapes and not len(shapes.within(0, 0, grid.width, grid.height)):
        why = translate("predt", "its polygons lie outside the raster: compare their extents and CRS")
    elif shapes and not nodata_of:
        why = translate("predt", "its polygons hold no pixel centre")
    elif not shapes:
        why = translate("predt", "the reference raster has nothing but nodata")
    feedback.pushWarning(translate("predt", "The study area has no pixel, so that all of the result is nodata: "
                                            "{}.").format(why))


def burn_facilities(grid, folder, facilities, area, all_touched, feedback):
    """Returns the Burned raster and its dataset, or (None, None) after a cancel; area may be None."""
    burned = Burned(os.path.join(folder, "facilities.tif"), [facility.value for facility in facilities])
    shapes = Shapes(grid, ((geometry, facility.value) for facility in facilities for geometry in parts(facility)), all_touched,
                    feedback)
    dataset = grid.create(burned.path, burned.kind, burned.nodata, georeferenced=False)
    for piece in grid.pieces():
        if feedback.isCanceled():
            return None, None
        feedback.setProgress(grid.share(*piece[:2]))
        burn_piece(burned, dataset.GetRasterBand(1), shapes, area, piece, feedback)
    dataset.SetProjection(grid.projection)
    dataset.FlushCache()
    return burned, dataset


def parts(facility):
    """Points one by one, which are faster to burn; other geometries as they are."""
    for geometry in facility.geometries:
        is_collection = geometry.wkbType() == QgsWkbTypes.Type.GeometryCollection
        is_multipoint = geometry.isMultipart() and not is_collection and is_point(geometry)
        yield from geometry.asGeometryCollection() if is_multipoint else (geometry,)


def burn_piece(burned, band, shapes, area, piece, feedback):
    pixels = np.full(piece[:1:-1], burned.nodata, gdal_array.GDALTypeCodeToNumericTypeCode(burned.kind))
    outside = None
    if area:
        outside = read(area.GetRasterBand(1), *piece) == 0
        pixels[~outside] = burned.ground
    if shapes.burn(pixels, piece, feedback):
        is_facility = (pixels >= burned.low) & (pixels <= burned.high)
        burned.present.update(np.unique(pixels[is_facility]).tolist())
        if area and (is_facility & outside).any():
            burned.facility_outside.append(piece)
    elif not area or outside.all():
        return  # nodata as it is
    write(band, pixels, piece)


def cut_to_area(burned, area, paths, feedback):
    """Facilities outside the study area serve pixels inside it; their own pixels become nodata like all the others there."""
    for path in paths:
        opened = gdal.Open(path, gdal.GA_Update)
        band = opened.GetRasterBand(1)
        for piece, following in zip(burned.facility_outside, [*burned.facility_outside[1:], None]):
            if feedback.isCanceled():
                return
            pixels = read(band, *piece)
            pixels[read(area.GetRasterBand(1), *piece) == 0] = band.GetNoDataValue()
            write(band, pixels, piece, not following or following[1] != piece[1])  # blocks there may be whole rows
        band = opened = None


# ---- What became of each ----

def tell_missing(grid, burned, dataset, facilities, feedback):
    """Names the facilities that have no pixel, by reason."""
    outside, sharing, hidden = [], [], []
    outline, by_value = grid.outline(), {facility.value: facility for facility in facilities}
    for count, facility in enumerate(facilities):
        if count % 1000 == 0 and feedback.isCanceled():
            return
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
            (hidden, translate("predt", "No pixel of their own (they hold no pixel centre, or others cover them), not used: "
                                        "{}"))):
        if names:
            feedback.pushWarning(message.format(some_of(names)))


def is_point(geometry):
    return QgsWkbTypes.geometryType(geometry.wkbType()) == QgsWkbTypes.GeometryType.PointGeometry


def pixel_owner(grid, dataset, geometry, by_value):
    """The facility in the pixel of a point; None if the geometry is no point."""
    if not is_point(geometry):
        return None
    for vertex in geometry.vertices():
        pixel = grid.pixel_of(vertex.x(), vertex.y())
        if pixel:
            return by_value.get(int(dataset.ReadAsArray(*pixel, 1, 1)[0, 0]))
    return None
