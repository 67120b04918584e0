"""predt:nearestfacility: a layer of facilities in, distance, allocation and a table of what each one serves out."""
import os
import tempfile

from osgeo import gdal
from qgis.core import (QgsFeature, QgsFeatureSink, QgsField, QgsFields, QgsProcessing, QgsProcessingException,
                       QgsProcessingMultiStepFeedback, QgsProcessingParameterBoolean, QgsProcessingParameterCrs,
                       QgsProcessingParameterExtent, QgsProcessingParameterFeatureSink, QgsProcessingParameterFeatureSource,
                       QgsProcessingParameterField, QgsProcessingParameterNumber, QgsProcessingParameterRasterDestination,
                       QgsProcessingParameterRasterLayer, QgsProcessingUtils, QgsWkbTypes)
from qgis.PyQt.QtCore import QVariant

from .algorithm import PredtAlgorithm, source_of, with_option
from .burn import burn_facilities, burn_study_area, cut_to_area, tell_missing
from .colours import choose_colours
from .command import run_command
from .facilities import number_facilities, read_facilities
from .grid import grid_of_extent, grid_of_raster
from .publish import MOST_STYLED, Place, describe_allocation, write_style
from .styles import FromFile, style_when_loaded, when_loaded
from .survey import survey

STEPS = 4  # reading, burning, gdal_predt, the survey


def scratch():
    """A folder that goes away, where Processing keeps its temporary files."""
    return tempfile.TemporaryDirectory(prefix="predt-", dir=QgsProcessingUtils.tempFolder())


class NearestFacility(PredtAlgorithm):
    NAME = "nearestfacility"

    def displayName(self):
        return self.tr("Nearest facility")

    def group(self):
        return self.tr("Vector to raster")

    def groupId(self):
        return "vectortoraster"

    def tags(self):
        return self.tr("nearest,facility,hospital,distance,service area,catchment,voronoi,allocation").split(",")

    def about(self):
        return self.tr(
            "For each pixel the straight-line distance to the nearest facility, and which one that is; and for each facility the "
            "area it serves with the mean and the largest distance there.\n"
            "Facilities are points, lines or polygons in any CRS; features with the same id are one facility. They are burned "
            "into the grid of the reference raster, or of an extent with square pixels, and distances go from pixel centre to "
            "pixel centre: a point counts as the centre of its pixel. Choose pixels small enough for that.\n"
            "Ids that are whole numbers are the values of the allocation; others (and those of more than 32 bits) are numbered "
            "1, 2, 3... Without an id field the feature ids are used. The attribute table of the allocation gives the names.\n"
            "Pixels outside the study area are nodata and are not counted; facilities outside it serve pixels inside.\n"
            "Areas are in square units of the CRS; in a CRS in degrees they are square metres on the ellipsoid, distances are "
            "in degrees, and lengths are refused: a projected CRS is better.\n"
            "The log names facilities outside the raster and those in the pixel of another one.")

    # ---- Parameters ----

    def initAlgorithm(self, config=None):
        self.add(QgsProcessingParameterFeatureSource("FACILITIES", self.tr("Facilities"), [QgsProcessing.TypeVectorAnyGeometry]))
        self.add(QgsProcessingParameterField("ID_FIELD", self.tr("Id field (none: feature ids)"),
                                             parentLayerParameterName="FACILITIES", optional=True))
        self.add(QgsProcessingParameterField("NAME_FIELD", self.tr("Name field (none: the id)"),
                                             parentLayerParameterName="FACILITIES", optional=True))
        self.add_grid_parameters()
        self.add(QgsProcessingParameterFeatureSource("MASK", self.tr("Study area: polygons"),
                                                     [QgsProcessing.TypeVectorPolygon], optional=True))
        self.add(QgsProcessingParameterBoolean("REFERENCE_NODATA", self.tr("Nodata of the reference raster is outside the study "
                                                                           "area"), defaultValue=False))
        self.add_units("GEO")
        self.add_max_distance()
        self.add(QgsProcessingParameterBoolean("ALL_TOUCHED", self.tr("Lines and polygons take every pixel they touch"),
                                               defaultValue=False),
                 help=self.tr("If not: polygons take the pixels whose centres they hold, lines one pixel a row or column."))
        self.add_file_options()
        self.add_outputs()

    def add_grid_parameters(self):
        self.add(QgsProcessingParameterRasterLayer("REFERENCE", self.tr("Reference raster"), optional=True),
                 help=self.tr("The result has its grid and CRS."))
        self.add(QgsProcessingParameterExtent("EXTENT", self.tr("Extent, where there is no reference raster"), optional=True))
        self.add(QgsProcessingParameterNumber("PIXEL_SIZE", self.tr("Pixel size, where there is no reference raster"),
                                              type=QgsProcessingParameterNumber.Type.Double, minValue=0.0, optional=True),
                 help=self.tr("In units of the CRS."))
        self.add(QgsProcessingParameterCrs("CRS", self.tr("CRS, where there is no reference raster (none: that of the "
                                                          "facilities)"), optional=True))

    def add_outputs(self):
        self.add(QgsProcessingParameterRasterDestination("DISTANCE", self.tr("Distance to the nearest facility")))
        self.add(QgsProcessingParameterRasterDestination("ALLOCATION", self.tr("Nearest facility")))
        self.add(QgsProcessingParameterFeatureSink("TABLE", self.tr("Served by each facility"), QgsProcessing.TypeVector,
                                                   optional=True))

    def checkParameterValues(self, parameters, context):
        problem = self.problem_of_grid(parameters, context)
        return (False, problem) if problem else super().checkParameterValues(parameters, context)

    def problem_of_grid(self, parameters, context):
        reference = parameters.get("REFERENCE")
        extent, size = parameters.get("EXTENT"), self.parameterAsDouble(parameters, "PIXEL_SIZE", context)
        if reference and (extent or size):
            return self.tr("Give a reference raster, or an extent and a pixel size, not both.")
        if not reference and not (extent and size > 0):
            return self.tr("Give a reference raster, or an extent and a pixel size.")
        if self.parameterAsBoolean(parameters, "REFERENCE_NODATA", context) and not reference:
            return self.tr("There is no reference raster whose nodata could be outside the study area.")
        return None

    # ---- The run ----

    def processAlgorithm(self, parameters, context, feedback):
        steps = QgsProcessingMultiStepFeedback(STEPS, feedback)
        grid = self.grid(parameters, context)
        facilities = self.facilities(parameters, grid, context, steps)
        finals = [self.output_path(parameters, name, context) for name in ("DISTANCE", "ALLOCATION")]
        if os.path.abspath(finals[0]) == os.path.abspath(finals[1]):
            raise QgsProcessingException(self.tr("Distance and allocation cannot go into the same file."))
        with scratch() as folder, Place(finals[0]) as distance, Place(finals[1]) as allocation:
            summary = self.solve(parameters, grid, facilities, folder, distance, allocation, context, steps)
            if summary is None or feedback.isCanceled():
                return {}
            return self.finish(parameters, grid, facilities, distance, allocation, summary, context, steps)

    def grid(self, parameters, context):
        reference = self.parameterAsRasterLayer(parameters, "REFERENCE", context)
        if reference:
            return grid_of_raster(reference)
        if parameters.get("REFERENCE"):
            raise QgsProcessingException(self.invalidRasterError(parameters, "REFERENCE"))
        crs = self.parameterAsCrs(parameters, "CRS", context)
        if not crs.isValid():
            crs = self.source(parameters, "FACILITIES", context).sourceCrs()
        extent = self.parameterAsExtent(parameters, "EXTENT", context, crs)
        return grid_of_extent(extent, self.parameterAsDouble(parameters, "PIXEL_SIZE", context), crs)

    def source(self, parameters, name, context):
        source = self.parameterAsSource(parameters, name, context)
        if source is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, name))
        return source

    def field(self, parameters, name, source, context):
        field = (self.parameterAsFields(parameters, name, context) or [None])[0]
        if field and source.fields().lookupField(field) < 0:
            raise QgsProcessingException(self.tr("The layer of facilities has no field {}.").format(field))
        return field

    def facilities(self, parameters, grid, context, feedback):
        source = self.source(parameters, "FACILITIES", context)
        id_field, name_field = (self.field(parameters, name, source, context) for name in ("ID_FIELD", "NAME_FIELD"))
        if not id_field:
            feedback.pushInfo(self.tr("No id field: the feature ids are used."))
        facilities = read_facilities(source, id_field, name_field, grid.crs, context, feedback)
        number_facilities(facilities, feedback)
        return facilities

    def solve(self, parameters, grid, facilities, folder, distance, allocation, context, steps):
        """Burns, and runs the command; returns its summary, or None if cancelled."""
        steps.setCurrentStep(1)
        area = self.study_area(parameters, grid, folder, context, steps)
        burned, dataset = None, None
        if not steps.isCanceled():
            touched = self.parameterAsBoolean(parameters, "ALL_TOUCHED", context)
            burned, dataset = burn_facilities(grid, folder, facilities, area, touched, steps)
        if steps.isCanceled():
            return None
        tell_missing(grid, burned, dataset, facilities, steps)
        dataset = None
        steps.setCurrentStep(2)
        options = self.creation_options(parameters, context) if distance.is_tiff and allocation.is_tiff else []
        arguments = ["-values", f"{burned.low}:{burned.high}", *self.distance_options(parameters, context),
                     *with_option("-co", options), *self.extra(parameters, context)]
        if area:
            arguments += ["-use_input_nodata", "YES"]
        summary = run_command([*arguments, "-allocation", allocation.path, burned.path, distance.path], steps)
        if summary and area:
            cut_to_area(grid, burned, area, (distance.path, allocation.path))
        return summary

    def study_area(self, parameters, grid, folder, context, feedback):
        mask = self.parameterAsSource(parameters, "MASK", context)
        reference = None
        if self.parameterAsBoolean(parameters, "REFERENCE_NODATA", context):
            reference = gdal.Open(source_of(self.parameterAsRasterLayer(parameters, "REFERENCE", context)))
        return burn_study_area(grid, folder, mask, reference, context, feedback) if mask or reference else None

    def finish(self, parameters, grid, facilities, distance, allocation, summary, context, steps):
        """Survey, table, names and colours; then everything is put in place."""
        steps.setCurrentStep(3)
        facilities = sorted(facilities, key=lambda facility: facility.value)
        areas, area_unit = grid.pixel_areas(context)
        found = survey(grid, distance.path, allocation.path, [facility.value for facility in facilities], areas, steps)
        if found is None:
            return {}
        steps.pushInfo(self.tr("Distances in the table are in {0}, areas in {1}.").format(summary["unit"], area_unit))
        colours = choose_colours(found.neighbours)
        describe_allocation(allocation.path, facilities, found, colours)
        results = {"DISTANCE": distance.final, "ALLOCATION": allocation.final}
        options = self.creation_options(parameters, context)
        for place in (distance, allocation):
            place.convert(options)
        write_style(os.path.join(allocation.folder, os.path.basename(allocation.final)), facilities, found, colours)
        if len(facilities) > MOST_STYLED:
            steps.pushInfo(self.tr("Only the first {} facilities have a colour in the style.").format(MOST_STYLED))
        table = self.write_table(parameters, facilities, found, context)
        if table:
            results["TABLE"] = table
        for place in (distance, allocation):
            place.put()
        style_when_loaded("distance", distance.final, summary, context)
        when_loaded(allocation.final, FromFile(os.path.splitext(allocation.final)[0] + ".qml"), context)
        return results

    def write_table(self, parameters, facilities, found, context):
        fields = QgsFields()
        whole_ids = all(isinstance(facility.key, int) for facility in facilities)
        for name, kind in (("value", QVariant.Int), ("id", QVariant.LongLong if whole_ids else QVariant.String),
                           ("name", QVariant.String), ("pixels", QVariant.LongLong), ("area", QVariant.Double),
                           ("mean_dist", QVariant.Double), ("max_dist", QVariant.Double)):
            fields.append(QgsField(name, kind))
        sink, table = self.parameterAsSink(parameters, "TABLE", context, fields, QgsWkbTypes.Type.NoGeometry)
        if sink is None:
            return None
        for place, facility in enumerate(facilities):
            feature = QgsFeature(fields)
            pixels, area = int(found.pixels[place]), float(found.area[place])
            distances = [found.mean(place), found.maximum(place)] if pixels else [None, None]
            feature.setAttributes([facility.value, facility.key if whole_ids else str(facility.key), facility.name, pixels, area,
                                   *distances])
            if not sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert):
                raise QgsProcessingException(self.writeFeatureError(sink, parameters, "TABLE"))
        return table
