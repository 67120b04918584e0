"""How distances are measured, in words; and how large pixels are on the ellipsoid."""
import numpy as np
from osgeo import osr
from qgis.core import QgsCoordinateReferenceSystem, QgsProcessingException
from qgis.PyQt.QtCore import QCoreApplication

from .command import in_words

translate = QCoreApplication.translate

# In the order of the list that the user sees: as the CRS suggests, and what -metric takes.
METRICS = [None, "plane", "geodesic"]


def is_length(unit):
    return unit not in ("GEO", "PIXEL")


def is_geodesic(crs, unit, metric):
    return is_length(unit) and (metric == "geodesic" or metric is None and crs.isGeographic())


def osr_of(crs):
    made = osr.SpatialReference()
    made.ImportFromWkt(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL))
    made.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return made


def in_words_on(crs, unit, metric):
    """'metres on WGS 84': what distances will be."""
    if not is_length(unit) or not crs.isValid():
        return in_words(unit, crs)
    if is_geodesic(crs, unit, metric):
        surface = osr_of(crs).GetAttrValue("SPHEROID") or translate("predt", "the ellipsoid of the CRS")
    else:
        surface = translate("predt", "the plane of {}").format(crs.authid() or crs.description())
    return translate("predt", "{0} on {1}").format(in_words(unit), surface)


def refuse_senseless(crs, unit, metric):
    """Before the work, and by the names that the dialog has."""
    if metric == "geodesic" and not is_length(unit):
        raise QgsProcessingException(translate("predt", "Distances along the ellipsoid are lengths: choose a unit of length."))
    if metric == "plane" and is_length(unit) and crs.isGeographic():
        raise QgsProcessingException(translate(
            "predt", "On the plane of a CRS in degrees there are no lengths: choose Georeferenced coordinates, or measure "
                     "along the ellipsoid."))


# ---- Areas ----

def north_of(latitudes, e):
    """Area between the equator and these latitudes (degrees), of a turn, in units of pi b^2."""
    sine = np.sin(np.radians(latitudes))
    if e == 0:
        return 2 * sine
    return sine / (1 - e * e * sine * sine) + np.arctanh(e * sine) / e


def areas_of_rows(crs, transform, height):
    """Area of a pixel of each row of a grid that is not rotated, in square metres: all of it between two parallels and two
    meridians. None where the rows of the CRS are no parallels."""
    own = osr_of(crs)
    x0, dx, _, y0, _, dy = transform
    edges = y0 + np.arange(height + 1) * dy
    if crs.isGeographic():
        unit = np.degrees(own.GetAngularUnits())
        latitudes, width = edges * unit, dx * unit
    else:
        degrees = own.CloneGeogCS()
        degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        change = osr.CoordinateTransformation(own, degrees)
        unit = np.degrees(degrees.GetAngularUnits())
        places = np.array(change.TransformPoints([(x0, y) for y in edges] + [(x0 + dx, edges[0])]))[:, :2] * unit
        latitudes, width = places[:-1, 1], (places[-1, 0] - places[0, 0] + 180) % 360 - 180
    a, b = own.GetSemiMajor(), own.GetSemiMinor()
    zones = north_of(np.clip(latitudes, -90, 90), np.sqrt(max(0.0, 1 - (b / a) ** 2)))
    return np.abs(np.diff(zones)) * np.pi * b * b * abs(width) / 360
