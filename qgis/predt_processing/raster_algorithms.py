"""predt:proximity, predt:allocation and predt:direction: one raster in, gdal_predt's options, rasters out."""
import math

from qgis.core import (QgsProcessingException, QgsProcessingParameterBand, QgsProcessingParameterBoolean,
                       QgsProcessingParameterEnum, QgsProcessingParameterNumber, QgsProcessingParameterRasterDestination,
                       QgsProcessingParameterRasterLayer, QgsProcessingParameterString)

from .algorithm import PredtAlgorithm, with_option
from .command import run_command, tell_summary
from .sources import source_of
from .styles import style_when_loaded

# Indexes as in gdal:proximity, whose complex types after Float64 are left out: a distance is a real number.
TYPES = ["Byte", "Int16", "UInt16", "UInt32", "Int32", "Float32", "Float64"]


class RasterAlgorithm(PredtAlgorithm):
    """A subclass names what is in OUTPUT and may add parameters; each output is an option of the same run."""
    INPUTS = ("INPUT",)
    OUTPUT_IS = ""  # distance, allocation or direction

    def group(self):
        return self.tr("Raster analysis")

    def groupId(self):
        return "rasteranalysis"

    def initAlgorithm(self, config=None):
        self.add(QgsProcessingParameterRasterLayer("INPUT", self.tr("Input layer")))
        self.add(QgsProcessingParameterBand("BAND", self.tr("Band number"), 1, parentLayerParameterName="INPUT"))
        self.add(QgsProcessingParameterString("VALUES", self.tr("Pixel values that are targets (empty: all but 0 and nodata)"),
                                              optional=True),
                 help=self.tr("Numbers and ranges with commas between them: 3,10:20,2.5. notnodata: every pixel but nodata."))
        self.add_units("PIXEL")
        self.add_max_distance()
        self.add_own_parameters()
        self.add(QgsProcessingParameterBoolean("INPUT_NODATA", self.tr("Nodata of the input stays nodata"), defaultValue=False),
                 advanced=True)
        self.add_file_options()
        self.add_outputs()

    def add_own_parameters(self):
        pass

    def add_outputs(self):
        self.add(QgsProcessingParameterRasterDestination("OUTPUT", self.output_title()))

    def add_nodata(self):
        self.add(QgsProcessingParameterNumber("NODATA", self.tr("Nodata value (not set: one that cannot be an answer)"),
                                              type=QgsProcessingParameterNumber.Type.Double, optional=True))

    def measured_crs(self, parameters, context):
        layer = self.parameterAsRasterLayer(parameters, "INPUT", context)
        return layer.dataProvider().crs() if layer else None

    def check(self, parameters, context):
        layer = self.parameterAsRasterLayer(parameters, "INPUT", context)
        if layer:
            source_of(layer)
            self.check_measure(layer.dataProvider().crs(), parameters, context)
        super().check(parameters, context)

    def processAlgorithm(self, parameters, context, feedback):
        layer = self.parameterAsRasterLayer(parameters, "INPUT", context)
        if layer is None:
            raise QgsProcessingException(self.invalidRasterError(parameters, "INPUT"))
        self.check(parameters, context)
        outputs = self.outputs(parameters, context)
        arguments = ["--overwrite", "-srcband", str(self.parameterAsInt(parameters, "BAND", context)),
                     *self.distance_options(parameters, context), *self.own_options(parameters, context),
                     *with_option("-co", self.creation_options(parameters, context)), *self.extra(parameters, context)]
        for kind, path in outputs.values():
            arguments += ["-" + kind, path]
        self.tell_measure(layer.dataProvider().crs(), parameters, context, feedback)
        summary = run_command([*arguments, source_of(layer)], feedback)
        if summary is None:
            return {}
        tell_summary(summary, feedback, layer.crs())
        for kind, path in outputs.values():
            style_when_loaded(kind, path, summary, context, feedback)
        return {name: path for name, (_, path) in outputs.items()}

    def outputs(self, parameters, context):
        return {"OUTPUT": (self.OUTPUT_IS, self.output_path(parameters, "OUTPUT", context))}

    def own_options(self, parameters, context):
        options = []
        values = self.parameterAsString(parameters, "VALUES", context).strip()
        if values:
            options += ["-values", values]
        if self.parameterAsBoolean(parameters, "INPUT_NODATA", context):
            options += ["-use_input_nodata", "YES"]
        if self.parameterDefinition("NODATA") and parameters.get("NODATA") is not None:
            options += ["-nodata", number(self.parameterAsDouble(parameters, "NODATA", context))]
        return options


def number(value):
    """As short as it is exact: 255 and not 255.0, which an integer type may not take."""
    return str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)


class Proximity(RasterAlgorithm):
    NAME = "proximity"
    OUTPUT_IS = "distance"

    def displayName(self):
        return self.tr("Proximity (exact raster distance)")

    def output_title(self):
        return self.tr("Proximity map")

    def tags(self):
        return self.tr("distance,proximity,euclidean,buffer,nearest,near").split(",")

    def about(self):
        return self.tr(
            "Distance from the centre of each pixel to the centre of the nearest target pixel: exact, for any number of "
            "targets, on pixels that are not square and on rotated grids too.\n"
            "Parameters are those of the GDAL algorithm of the same name, with these differences: nodata pixels are no targets "
            "unless their value is named; the nodata value is not 0 but NaN (or the largest value of an integer type) unless "
            "set, so that targets, at distance 0, stay visible; units of length are offered too; a target at exactly the "
            "maximum distance counts.\n"
            "Which target is nearest, and in which direction it lies, can be had in the same run.\n"
            "In a CRS in degrees, lengths are those of the shortest ways along the ellipsoid, across the antimeridian and over "
            "the poles; georeferenced coordinates are degrees there, on a plane.")

    def add_own_parameters(self):
        self.add(QgsProcessingParameterNumber("REPLACE", self.tr("Value for all pixels within the maximum distance (0: the "
                                                                 "distance itself)"),
                                              type=QgsProcessingParameterNumber.Type.Double, defaultValue=0.0, optional=True))
        self.add_nodata()
        self.add(QgsProcessingParameterEnum("DATA_TYPE", self.tr("Output data type"), TYPES,
                                            defaultValue=TYPES.index("Float32")),
                 advanced=True, help=self.tr("Integers are rounded once, at the end."))

    def add_outputs(self):
        super().add_outputs()
        for name, title in (("ALLOCATION", self.tr("Allocation: value of the nearest target")),
                            ("DIRECTION", self.tr("Direction to the nearest target"))):
            self.add(QgsProcessingParameterRasterDestination(name, title, optional=True, createByDefault=False))

    def outputs(self, parameters, context):
        outputs = super().outputs(parameters, context)
        for name in ("ALLOCATION", "DIRECTION"):
            path = self.output_path(parameters, name, context)
            if path:
                outputs[name] = (name.lower(), path)
        return outputs

    def own_options(self, parameters, context):
        options = super().own_options(parameters, context)
        replacement = self.parameterAsDouble(parameters, "REPLACE", context)
        if replacement:
            options += ["-fixed-buf-val", number(replacement)]
        return options + ["-ot", TYPES[self.parameterAsEnum(parameters, "DATA_TYPE", context)]]


class Allocation(RasterAlgorithm):
    NAME = "allocation"
    OUTPUT_IS = "allocation"

    def displayName(self):
        return self.tr("Allocation (value of the nearest target)")

    def output_title(self):
        return self.tr("Allocation map")

    def tags(self):
        return self.tr("allocation,voronoi,thiessen,nearest,zones,catchment").split(",")

    def about(self):
        return self.tr(
            "For each pixel the value of the nearest target pixel: a Voronoi (Thiessen) map of the targets, exact, in the data "
            "type of the input and with its colours, category names and attribute table.\n"
            "Of equally near targets the westernmost wins, then the northernmost.\n"
            "Beyond the maximum distance, if there is one, pixels are nodata.")

    def add_own_parameters(self):
        self.add_nodata()


class Direction(RasterAlgorithm):
    NAME = "direction"
    OUTPUT_IS = "direction"

    def displayName(self):
        return self.tr("Direction (to the nearest target)")

    def output_title(self):
        return self.tr("Direction map")

    def tags(self):
        return self.tr("direction,azimuth,bearing,nearest").split(",")

    def about(self):
        return self.tr(
            "For each pixel the direction in which the nearest target pixel lies: degrees clockwise from map north (90 east, "
            "180 south, 270 west, 360 north), 0 on a target, nodata (NaN) where no target is in reach.\n"
            "Map north is up; in most projections it differs a little from true north.")
