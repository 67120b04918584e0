"""One rule for the outputs of all algorithms: what may be written, and what becomes of a style that lies beside it."""
import hashlib
import os
import re

from osgeo import gdal
from qgis.core import QgsProcessingException, QgsProcessingOutputLayerDefinition
from qgis.PyQt.QtCore import QCoreApplication

from .sources import files_of, layer_of, same_file

translate = QCoreApplication.translate
MARK = "<!-- written by predt {} -->\n"


# ---- Names ----

def named_path(value):
    """(file, layer in it) that an output parameter's value names; (None, None) where Processing chooses."""
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink
    if hasattr(value, "staticValue"):
        value = value.staticValue()
    if not isinstance(value, str) or not value or value.startswith(("TEMPORARY_OUTPUT", "memory:", "/vsi")):
        return None, None
    table = re.match(r"""ogr:dbname=['"](.+?)['"](?:.*table=['"](.+?)['"])?""", value)
    if table:
        return os.path.abspath(table.group(1)), table.group(2)
    return (None, None) if re.match(r"\w\w+:", value) else (os.path.abspath(value), None)


def problem_of_outputs(algorithm, parameters, inputs, context):
    """A line that says which output would harm an input or another output, or None."""
    wanted = []
    for definition in algorithm.destinationParameterDefinitions():
        path, table = named_path(parameters.get(definition.name()))
        if path:
            wanted.append((definition, path, table))
    for place, (definition, path, _) in enumerate(wanted):
        for other, taken, _ in wanted[:place]:
            if same_file(path, taken):
                names = other.description(), definition.description()
                return translate("predt", "{0} and {1} cannot go into the same file.").format(*names)
    for name in inputs if wanted else ():
        layer = layer_of(parameters.get(name), context)
        for definition, path, table in wanted if layer else ():
            if harms(layer, path, table):
                return translate("predt", "{0}: {1} belongs to the input {2}, and would be overwritten. Write to another file."
                                 ).format(definition.description(), path, layer.name())
    return None


def harms(layer, path, table):
    """Writing a table of another name into a GeoPackage leaves the others in it alone."""
    if not any(same_file(path, file) for file in files_of(layer)):
        return False
    return not table or f"layername={table}" in layer.source().split("|") or "layername=" not in layer.source()


def refuse_container(path):
    """A file that holds more than one raster is not replaced as a whole."""
    if not os.path.isfile(path):
        return
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        opened = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_VECTOR)
        held = len(opened.GetSubDatasets()) + opened.GetLayerCount() + bool(opened.RasterCount) if opened else 0
    except RuntimeError:
        held = 0
    finally:
        gdal.PopErrorHandler()
    if held > 1:
        raise QgsProcessingException(translate("predt", "{} holds other layers too, which would be lost: write to another "
                                                        "file.").format(path))


# ---- Styles beside outputs ----

def style_path(raster):
    return os.path.splitext(raster)[0] + ".qml"


def sign(path):
    """Marks a style that we made: with a line that fits its text, so that one that was changed is not taken for ours."""
    with open(path, "rb") as file:
        text = file.read().rstrip() + b"\n"
    with open(path, "wb") as file:
        file.write(text + MARK.format(hashlib.sha256(text).hexdigest()).encode())


def is_ours(path):
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return False
    body, _, mark = text[:-1].rpartition(b"\n")
    return mark + b"\n" == MARK.format(hashlib.sha256(body + b"\n").hexdigest()).encode() and not os.path.islink(path)


def keeps_style(raster, feedback):
    """Whether a style of the user's lies beside an output: it stays, and QGIS shows the raster with it."""
    path = style_path(raster)
    if not os.path.lexists(path) or is_ours(path):
        return False
    feedback.pushInfo(translate("predt", "{} is a style that predt has not written: it stays as it is, and QGIS shows the "
                                         "layer with it.").format(path))
    return True


def clear_style(raster, feedback):
    """keeps_style(), for an output that has no style file: one that we wrote for an older raster of that name goes."""
    if keeps_style(raster, feedback):
        return True
    if is_ours(style_path(raster)):
        os.remove(style_path(raster))
    return False
