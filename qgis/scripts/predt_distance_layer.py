"""A Processing script with @alg: distances as a layer that needs no raster file, through predt's GDAL driver.

Put this file into the folder processing/scripts of your QGIS profile (Settings > User Profiles > Open Active Profile Folder),
or open it with Processing Toolbox > Scripts > Open Existing Script. GDAL has to know the driver: `gdalinfo --formats`
lists PREDT."""
import json
import os

from qgis.core import QgsProcessingContext, QgsProcessingException, QgsRasterLayer
from qgis.processing import alg

UNITS = ["METRE", "KM", "FOOT", "MILE", "PIXEL", "GEO"]


@alg(name="predtdistancelayer", label="Layer of distances (predt)", group="predt examples", group_label="predt examples")
@alg.input(type=alg.RASTER_LAYER, name="INPUT", label="Raster with targets: pixels that are not 0")
@alg.input(type=alg.ENUM, name="UNITS", label="Unit", options=UNITS, default=0)
@alg.input(type=alg.NUMBER, name="MAX_DISTANCE", label="Largest distance; 0: no limit", default=0.0, minValue=0.0)
@alg.input(type=alg.FILE_DEST, name="OUTPUT", label="Layer definition", fileFilter="PREDT files (*.predt)")
def predt_distance_layer(instance, parameters, context, feedback, inputs):
    """Writes a .predt file, a few words of text, and adds it to the map: pixels are worked out when they are shown."""
    source = instance.parameterAsRasterLayer(parameters, "INPUT", context).source()
    limit = instance.parameterAsDouble(parameters, "MAX_DISTANCE", context)
    output = os.path.splitext(instance.parameterAsFileOutput(parameters, "OUTPUT", context))[0] + ".predt"
    words = {"source": os.path.abspath(source) if os.path.exists(source) else source, "product": "distance",
             "distunits": UNITS[instance.parameterAsEnum(parameters, "UNITS", context)]}
    if limit > 0:
        words["maxdist"] = limit
    with open(output, "w", encoding="utf-8") as file:
        json.dump(words, file, indent=2)
    layer = QgsRasterLayer(output, "Distance")
    if not layer.isValid():
        raise QgsProcessingException(f"{output} cannot be opened: is the GDAL driver PREDT installed?")
    context.temporaryLayerStore().addMapLayer(layer)
    context.addLayerToLoadOnCompletion(layer.id(), QgsProcessingContext.LayerDetails("Distance", context.project(), "OUTPUT"))
    return {"OUTPUT": output}
