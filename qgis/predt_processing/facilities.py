"""Features of a layer as facilities: which belong together, what they are called, which number stands for them in a raster."""
import json

from qgis.core import QgsFeatureRequest, QgsProcessingException
from qgis.PyQt.QtCore import QByteArray, QCoreApplication, QDate, QDateTime, Qt, QTime, QVariant

translate = QCoreApplication.translate
INT32 = 2**31 - 1
NAMED = 20  # facilities that a message names; of more it gives the number


class Facility:
    """All features with one id. value is what its pixels hold; geometries are in the grid's CRS."""

    def __init__(self, key, name):
        self.key, self.name, self.value, self.geometries = key, name, None, []


def is_null(value):
    return value is None or (isinstance(value, QVariant) and value.isNull())


def whole(value):
    """The integer that an id is, or None."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def text_of(value):
    """In words that do not depend on the program: dates as ISO 8601, lists with commas, bytes in hexadecimal."""
    if isinstance(value, (QDate, QDateTime, QTime)):
        exact = not isinstance(value, QDate) and (value.time() if isinstance(value, QDateTime) else value).msec()
        return value.toString(Qt.DateFormat.ISODateWithMs if exact else Qt.DateFormat.ISODate)
    if isinstance(value, (QByteArray, bytes)):
        return bytes(value).hex()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=text_of)
    number = whole(value)
    return str(value if number is None else number)


def key_of(value):
    number = whole(value)
    return text_of(value) if number is None else number


def some_of(names):
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (translate("predt", " and {} more").format(more) if more > 0 else "")


def read_facilities(source, id_field, name_field, crs, context, feedback):
    """Facilities in the order of their first features, reprojected to crs. Without an id field each feature is one."""
    request = QgsFeatureRequest()
    request.setDestinationCrs(crs, context.transformContext())  # QGIS tells of each it cannot reproject: no geometry then
    facilities, without_id, without_place = {}, 0, 0
    total = source.featureCount() or 1
    for count, feature in enumerate(source.getFeatures(request)):
        if feedback.isCanceled():
            return []
        feedback.setProgress(100.0 * count / total)
        key = feature[id_field] if id_field else feature.id()
        if is_null(key):
            without_id += 1
        elif feature.geometry().isEmpty():
            without_place += 1
        else:
            add_feature(facilities, key_of(key), feature, name_field)
    tell_left_out(without_id, without_place, feedback)
    if not facilities and not feedback.isCanceled():
        raise QgsProcessingException(translate("predt", "The layer has no facility that could be used."))
    return list(facilities.values())


def add_feature(facilities, key, feature, name_field):
    if key not in facilities:
        name = feature[name_field] if name_field else None
        facilities[key] = Facility(key, str(key) if is_null(name) else text_of(name))
    facilities[key].geometries.append(feature.geometry())


def tell_left_out(without_id, without_place, feedback):
    for count, why in ((without_id, translate("predt", "they have no id")),
                       (without_place, translate("predt", "they have no geometry in the CRS of the raster"))):
        if count:
            feedback.pushWarning(translate("predt", "Features left out, because {0}: {1}").format(why, count))


def number_facilities(facilities, feedback):
    """Gives each its value: its id where all ids are whole numbers of 32 bits, else 1, 2, 3... in the layer's order."""
    if all(isinstance(facility.key, int) and -INT32 <= facility.key <= INT32 for facility in facilities):
        for facility in facilities:
            facility.value = facility.key
        return
    feedback.pushInfo(translate("predt", "The ids are not all whole numbers of 32 bits: the allocation holds 1 to {}; its "
                                         "attribute table and the table of facilities say which is which.")
                      .format(len(facilities)))
    for value, facility in enumerate(facilities, 1):
        facility.value = value
