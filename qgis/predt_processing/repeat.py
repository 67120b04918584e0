"""The line for a terminal that does again what the dialog did."""
import os
import shlex
import shutil
import subprocess

from qgis.core import (QgsCoordinateReferenceSystem, QgsMapLayer, QgsProcessingFeatureSourceDefinition,
                       QgsProcessingOutputLayerDefinition, QgsRectangle, QgsReferencedRectangle)

from .sources import layer_of

FILES = ("gdal", "ogr", "delimitedtext", "spatialite")  # providers whose layers another process can open by their source


def command_line(words):
    """As the shell of this system takes it."""
    return subprocess.list2cmdline(words) if os.name == "nt" else " ".join(map(shlex.quote, words))


def algorithm_line(algorithm, parameters, context):
    """qgis_process with the same parameters; None where one of them cannot be written down, as a layer in memory."""
    program = shutil.which("qgis_process.bin") or "qgis_process"  # Debian's script of the second name fails
    words = [program, "run", algorithm.id(), "--"]
    for definition in algorithm.parameterDefinitions():
        value = parameters.get(definition.name())
        if value is None or value == "":
            continue
        text = written(value, definition, context)
        if text is None:
            return None
        words.append(f"{definition.name()}={text}")
    return command_line(words)


def written(value, definition, context):
    if hasattr(value, "staticValue"):
        value = value.staticValue()
    if definition.isDestination():
        value = value.sink.staticValue() if isinstance(value, QgsProcessingOutputLayerDefinition) else value
        return value and (os.path.abspath(value) if is_relative(value) else value)
    if definition.type() in ("source", "raster", "vector"):
        return written_layer(value, context)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, QgsCoordinateReferenceSystem):
        return value.authid() or "WKT:" + value.toWkt()
    if isinstance(value, (QgsRectangle, QgsMapLayer)):
        return written_extent(value)
    if isinstance(value, (list, tuple)):
        return ";".join(map(str, value))
    return repr(value) if isinstance(value, float) else str(value)


def is_relative(path):
    if os.path.isabs(path) or ":" in path or path == "TEMPORARY_OUTPUT":
        return False
    return os.path.isdir(os.path.dirname(path) or ".")


def written_layer(value, context):
    if isinstance(value, QgsProcessingFeatureSourceDefinition) and (
            value.selectedFeaturesOnly or value.featureLimit > 0 or getattr(value, "filterExpression", "")):
        return None
    layer = layer_of(value, context)
    if layer is None or layer.providerType() not in FILES:
        return None
    source = layer.source()
    file = source.split("|")[0]
    return os.path.abspath(file) + source[len(file):] if os.path.exists(file) else source


def written_extent(value):
    """With 17 digits, so that the grid is the same to the last bit."""
    crs = value.crs() if isinstance(value, (QgsReferencedRectangle, QgsMapLayer)) else None
    box = value.extent() if isinstance(value, QgsMapLayer) else value
    text = ",".join(repr(side) for side in (box.xMinimum(), box.xMaximum(), box.yMinimum(), box.yMaximum()))
    return f"{text} [{crs.authid()}]" if crs and crs.authid() else text
