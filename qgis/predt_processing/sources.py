"""What gdal_predt opens for a layer, and the files that a layer consists of."""
import json
import os

from osgeo import gdal
from qgis.core import (QgsProcessingException, QgsProcessingFeatureSourceDefinition, QgsProcessingUtils, QgsProviderRegistry,
                       QgsRasterLayer)
from qgis.PyQt.QtCore import QCoreApplication

translate = QCoreApplication.translate
DEPTH = 8  # of virtual rasters that name virtual rasters


def source_of(layer):
    """What gdal_predt has to open to read the layer's pixels; an exception in one line if another program cannot."""
    def refuse(why):
        raise QgsProcessingException(translate(
            "predt", "Layer {0} {1}: save it as a raster file first (Export > Save As).").format(layer.name(), why))

    source = layer.source()
    if layer.providerType() != "gdal":
        refuse(translate("predt", "comes from the provider {}").format(layer.providerType()))
    if "/vsimem/" in source:
        refuse(translate("predt", "lies in the memory of QGIS"))
    parts = QgsProviderRegistry.instance().decodeUri("gdal", source)
    options = parts.get("openOptions") or []
    named = with_options(parts.get("path") or "", options) if options else None
    if "|credential:" in source or options and not named:
        refuse(translate("predt", "was opened with options of its own"))
    return named or (os.path.abspath(source) if os.path.exists(source) else source)


def with_options(path, options):
    """A PREDT dataset's name in which its open options stand, so that another program opens the same; None if it is none.
    An option wins over the same one in the name or the .predt file."""
    given, prefix = {}, "PREDT:"
    if path.lower().endswith(".predt"):
        try:
            with open(path, encoding="utf-8-sig") as file:
                given = {key_of(key): text_of(value) for key, value in json.load(file).items()}
        except (OSError, ValueError, AttributeError):
            return None
        source = given.pop("source", "")
        beside = os.path.join(os.path.dirname(os.path.abspath(path)), source)
        source = beside if os.path.exists(beside) else source
    elif path[:len(prefix)].upper() == prefix:
        product, colon, source = path[len(prefix):].partition(":")
        if colon and product.lower() in ("distance", "allocation", "direction"):
            given["product"] = product.lower()
        else:
            source, _, query = path[len(prefix):].partition("?")
            given = {key_of(key): value.replace("%26", "&").replace("%25", "%")
                     for key, _, value in (word.partition("=") for word in query.split("&") if word)}
    else:
        return None
    given.update((key_of(key), value) for key, _, value in (option.partition("=") for option in options))
    words = "&".join(f"{key}={value.replace('%', '%25').replace('&', '%26')}" for key, value in given.items())
    return f"{prefix}{source}?{words}"


def key_of(name):
    """Case, - and _ do not matter to the driver."""
    return name.lower().replace("-", "").replace("_", "")


def text_of(value):
    if isinstance(value, bool):
        return "YES" if value else "NO"
    return ",".join(map(text_of, value)) if isinstance(value, list) else str(value)


# ---- Files ----

def layer_of(value, context):
    """The layer that a parameter's value means, or None."""
    if isinstance(value, QgsProcessingFeatureSourceDefinition):
        value = value.source
    if hasattr(value, "staticValue"):
        value = value.staticValue()
    return QgsProcessingUtils.mapLayerFromString(value, context) if isinstance(value, str) and value else value or None


def files_of(layer):
    """All files that the layer is made of, those of a virtual raster's sources too."""
    path = layer.source()
    if layer.providerType() in ("gdal", "ogr", "delimitedtext", "spatialite"):
        path = QgsProviderRegistry.instance().decodeUri(layer.providerType(), path).get("path") or path
    kind = gdal.OF_RASTER if isinstance(layer, QgsRasterLayer) else gdal.OF_VECTOR
    files = set()
    collect_files(path, kind, files, DEPTH)
    return files


def collect_files(name, kind, files, depth):
    if os.path.exists(name):
        files.add(os.path.abspath(name))
    for file in listed_files(name, kind):
        if os.path.abspath(file) not in files and depth:
            collect_files(file, kind, files, depth - 1)


def listed_files(name, kind):
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        opened = gdal.OpenEx(name, kind)
        return (opened.GetFileList() if opened else None) or []
    except RuntimeError:  # where somebody has switched GDAL's exceptions on
        return []
    finally:
        gdal.PopErrorHandler()


def same_file(one, other):
    """Under whatever names, through links too."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))
