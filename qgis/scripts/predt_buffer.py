"""A Processing script with @alg: a raster of the pixels within a distance of the targets, made by the command gdal_predt.

Put this file into the folder processing/scripts of your QGIS profile (Settings > User Profiles > Open Active Profile Folder),
or open it with Processing Toolbox > Scripts > Open Existing Script. gdal_predt has to be on the PATH."""
import shlex
import subprocess

from qgis.core import QgsProcessingException
from qgis.processing import alg


@alg(name="predtbuffer", label="Buffer of target pixels (predt)", group="predt examples", group_label="predt examples")
@alg.input(type=alg.RASTER_LAYER, name="INPUT", label="Raster with targets: pixels that are not 0")
@alg.input(type=alg.NUMBER, name="DISTANCE", label="Distance in metres", default=1000.0, minValue=0.0)
@alg.input(type=alg.RASTER_LAYER_DEST, name="OUTPUT", label="Buffer: 1 within the distance")
def predt_buffer(instance, parameters, context, feedback, inputs):
    """Pixels within the distance of a target become 1, all others nodata. The distance is exact and inclusive."""
    source = instance.parameterAsRasterLayer(parameters, "INPUT", context).source()
    distance = instance.parameterAsDouble(parameters, "DISTANCE", context)
    output = instance.parameterAsOutputLayer(parameters, "OUTPUT", context)
    command = ["gdal_predt", "-q", "--overwrite", "-distunits", "METRE", "-maxdist", str(distance), "-fixed-buf-val", "1",
               "-ot", "Byte", source, output]
    feedback.pushCommandInfo(shlex.join(command))
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        raise QgsProcessingException(run.stdout)
    return {"OUTPUT": output}
