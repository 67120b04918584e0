"""predt:nearestfacility: a layer of facilities in, distance, allocation and a table of what each one serves out."""
from osgeo import gdal
from qgis.core import (Qgis, QgsFeature, QgsFeatureSink, QgsField, QgsFields, QgsProcessing, QgsProcessingException,
                       QgsProcessingMultiStepFeedback, QgsProcessingParameterBoolean, QgsProcessingParameterCrs,
                       QgsProcessingParameterExtent, QgsProcessingParameterFeatureSink, QgsProcessingParameterFeatureSource,
                       QgsProcessingParameterField, QgsProcessingParameterNumber, QgsProcessingParameterRasterDestination,
                       QgsProcessingParameterRasterLayer, QgsWkbTypes)
from qgis.PyQt.QtCore import QMetaType, QVariant

from .algorithm import PredtAlgorithm, with_option
from .burn import burn_facilities, burn_study_area, choose_kind, cut_to_area, tell_missing
from .colours import choose_colours
from .command import in_words, run_command, tell_summary
from .facilities import number_facilities, read_facilities
from .grid import grid_of_extent, grid_of_raster
from .outputs import keeps_style, style_path
from .plan import refuse_without_room, tell_grid
from .publish import Place, describe_allocation, put_all, write_style
from .repeat import algorithm_line, command_line
from .sources import files_of, layer_of, same_file, source_of
from .styles import FromFile, style_when_loaded, when_loaded
from .survey import survey
from .working import scratch

STEPS = 4  # reading, burning, gdal_predt, the survey


class NearestFacility(PredtAlgorithm):
    NAME = "nearestfacility"
    INPUTS = ("FACILITIES", "REFERENCE", "MASK")

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
            "For each pixel the straight-line distance to the nearest facility, and which one that is; and for each facility "
            "the area it serves with the mean and the largest distance there.\n"
            "Facilities are points, lines or polygons in any CRS; features with the same id are one facility. They are burned "
            "into the grid of the reference raster, or of an extent with square pixels, and distances go from pixel centre to "
            "pixel centre: a point counts as the centre of its pixel. Choose pixels small enough for that.\n"
            "Ids that are whole numbers are the values of the allocation; others (and those of more than 32 bits) are numbered "
            "1, 2, 3... Without an id field the feature ids are used. The attribute table of the allocation gives the names.\n"
            "Pixels outside the study area are nodata and are not counted; facilities outside it serve pixels inside.\n"
            "Areas are in square units of the CRS; in a CRS in degrees, and where distances are measured along the ellipsoid, "
            "they are square metres on the ellipsoid. Distances in degrees (georeferenced coordinates) are on a plane: lengths "
            "are better there.\n"
            "The log names facilities outside the raster and those in the pixel of another one.")

    # ---- Parameters ----

    def initAlgorithm(self, config=None):
        self.add(QgsProcessingParameterFeatureSource("FACILITIES", self.tr("Facilities"),
                                                     [QgsProcessing.TypeVectorAnyGeometry]))
        self.add(QgsProcessingParameterField("ID_FIELD", self.tr("Id field (none: feature ids)"),
                                             parentLayerParameterName="FACILITIES", optional=True))
        self.add(QgsProcessingParameterField("NAME_FIELD", self.tr("Name field (none: the id)"),
                                             parentLayerParameterName="FACILITIES", optional=True))
        self.add_grid_parameters()
        self.add(QgsProcessingParameterFeatureSource("MASK", self.tr("Study area: polygons"),
                                                     [QgsProcessing.TypeVectorPolygon], optional=True))
        self.add(QgsProcessingParameterBoolean("REFERENCE_NODATA", self.tr("Nodata of the reference raster is outside the "
                                                                           "study area"), defaultValue=False))
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
                 help=self.tr("In units of that CRS."))
        self.add(QgsProcessingParameterCrs("CRS", self.tr("CRS, where there is no reference raster (none: that of the "
                                                          "extent)"), optional=True))

    def add_outputs(self):
        self.add(QgsProcessingParameterRasterDestination("DISTANCE", self.tr("Distance to the nearest facility")))
        self.add(QgsProcessingParameterRasterDestination("ALLOCATION", self.tr("Nearest facility")))
        self.add(QgsProcessingParameterFeatureSink("TABLE", self.tr("Served by each facility"), QgsProcessing.TypeVector,
                                                   optional=True))

    def measured_crs(self, parameters, context):
        return None if self.problem_of_grid(parameters, context) else self.grid(parameters, context)[0].crs

    def check(self, parameters, context):
        """The grid too, so that the dialog tells of it before the work."""
        problem = self.problem_of_grid(parameters, context)
        if problem:
            raise QgsProcessingException(problem)
        super().check(parameters, context)
        grid, _ = self.grid(parameters, context)
        self.check_measure(grid.crs, parameters, context)

    def problem_of_grid(self, parameters, context):
        reference = parameters.get("REFERENCE")
        extent, size = parameters.get("EXTENT"), self.parameterAsDouble(parameters, "PIXEL_SIZE", context)
        if reference and (extent or size):
            return self.tr("Give a reference raster, or an extent and a pixel size, not both.")
        if not reference and not (extent and size):
            return self.tr("Give a reference raster, or an extent and a pixel size.")
        if self.parameterAsBoolean(parameters, "REFERENCE_NODATA", context) and not reference:
            return self.tr("There is no reference raster whose nodata could be outside the study area.")
        return None

    # ---- The run ----

    def processAlgorithm(self, parameters, context, feedback):
        steps = QgsProcessingMultiStepFeedback(STEPS, feedback)
        self.check(parameters, context)
        self.tell_line(parameters, context, feedback)
        grid, origin = self.grid(parameters, context)
        tell_grid(grid, origin, feedback)
        self.tell_measure(grid.crs, parameters, context, feedback)
        inputs = self.input_files(parameters, context)
        facilities = self.facilities(parameters, grid, context, steps)
        if steps.isCanceled():
            return {}
        distance, allocation = (Place(self.output_path(parameters, name, context), name) for name in ("DISTANCE", "ALLOCATION"))
        if same_file(distance.final, allocation.final):
            raise QgsProcessingException(self.tr("Distance and allocation cannot go into the same file."))
        with scratch() as working, distance, allocation:
            self.get_ready(parameters, grid, facilities, distance, allocation, context)
            summary = self.solve(parameters, grid, facilities, working.path, distance, allocation, context, steps)
            if summary is None or feedback.isCanceled():
                return {}
            return self.finish(parameters, grid, facilities, distance, allocation, inputs, summary, context, steps)

    def tell_line(self, parameters, context, feedback):
        line = algorithm_line(self, parameters, context)
        if line:
            feedback.pushCommandInfo(line)
        else:
            feedback.pushInfo(self.tr("A layer is not a file, or only some of its features are used: there is no line that "
                                      "would repeat this run in a terminal."))

    def input_files(self, parameters, context):
        layers = [layer_of(parameters.get(name), context) for name in self.INPUTS]
        return set().union(*(files_of(layer) for layer in layers if layer))

    def grid(self, parameters, context):
        """(the grid, where its CRS was taken from)."""
        reference = self.parameterAsRasterLayer(parameters, "REFERENCE", context)
        if reference:
            return grid_of_raster(reference), self.tr("the reference raster's grid")
        if parameters.get("REFERENCE"):
            raise QgsProcessingException(self.invalidRasterError(parameters, "REFERENCE"))
        crs, origin = self.crs(parameters, context)
        if not crs.isValid():
            raise QgsProcessingException(self.tr("Neither the extent nor the facilities have a CRS: set the parameter CRS."))
        extent = self.parameterAsExtent(parameters, "EXTENT", context, crs)
        return grid_of_extent(extent, self.parameterAsDouble(parameters, "PIXEL_SIZE", context), crs), origin

    def crs(self, parameters, context):
        """The parameter; else that of the extent, in whose units it and the pixel size are thought of; else the project's; else
        that of the facilities."""
        project = context.project()
        for crs, origin in ((self.parameterAsCrs(parameters, "CRS", context), self.tr("the parameter CRS")),
                            (self.parameterAsExtentCrs(parameters, "EXTENT", context), self.tr("the extent's CRS")),
                            (project.crs() if project else None, self.tr("the project's CRS"))):
            if crs and crs.isValid():
                return crs, origin
        return self.source(parameters, "FACILITIES", context).sourceCrs(), self.tr("the facilities' CRS")

    def source(self, parameters, name, context):
        source = self.parameterAsSource(parameters, name, context)
        if source is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, name))
        return source

    def field(self, parameters, name, source, context):
        strings = getattr(self, "parameterAsStrings", None) or self.parameterAsFields  # the first came with QGIS 3.40
        field = (strings(parameters, name, context) or [None])[0]
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

    def get_ready(self, parameters, grid, facilities, distance, allocation, context):
        """What would fail after the work fails before it: formats, creation options, room on the disk."""
        values = [facility.value for facility in facilities]
        kind = choose_kind(min(values), max(values))[0]
        options = self.file_options(parameters, context)
        distance.choose_format(gdal.GDT_Float32, grid, options)
        allocation.choose_format(kind, grid, options)
        refuse_without_room(grid, [place.working.parent for place in (distance, allocation)],
                            "COMPRESS=" in "".join(options).upper(),
                            gdal.GetDataTypeSize(kind) // 8)

    def file_options(self, parameters, context):
        return with_option("-co", self.creation_options(parameters, context))

    def solve(self, parameters, grid, facilities, folder, distance, allocation, context, steps):
        """Burns, and runs the command; returns its summary, or None if cancelled."""
        steps.setCurrentStep(1)
        area, burned, dataset = self.study_area(parameters, grid, folder, context, steps), None, None
        if not steps.isCanceled():
            touched = self.parameterAsBoolean(parameters, "ALL_TOUCHED", context)
            burned, dataset = burn_facilities(grid, folder, facilities, area, touched, steps)
        if steps.isCanceled():
            return None
        tell_missing(grid, burned, dataset, facilities, steps)
        dataset = None
        steps.setCurrentStep(2)
        arguments = ["-values", f"{burned.low}:{burned.high}", *self.distance_options(parameters, context),
                     *self.extra(parameters, context)]
        if "GTiff" in (distance.format, allocation.format):
            arguments += self.file_options(parameters, context)
        if area:
            arguments += ["-use_input_nodata", "YES"]
        told = self.tr("gdal_predt works on files of this run, with the options {}").format(command_line(arguments))
        summary = run_command([*arguments, "-allocation", allocation.path, burned.path, distance.path], steps, told)
        if summary and area:
            cut_to_area(burned, area, (distance.path, allocation.path), steps)
        return summary

    def study_area(self, parameters, grid, folder, context, feedback):
        mask = self.parameterAsSource(parameters, "MASK", context)
        if mask is None and parameters.get("MASK"):
            raise QgsProcessingException(self.invalidSourceError(parameters, "MASK"))
        reference = None
        if self.parameterAsBoolean(parameters, "REFERENCE_NODATA", context):
            reference = gdal.Open(source_of(self.parameterAsRasterLayer(parameters, "REFERENCE", context)))
        return burn_study_area(grid, folder, mask, reference, context, feedback) if mask or reference else None

    def finish(self, parameters, grid, facilities, distance, allocation, inputs, summary, context, steps):
        """Survey, table, names and colours; then everything is put in place."""
        steps.setCurrentStep(3)
        tell_summary(summary, steps, grid.crs)
        facilities = sorted(facilities, key=lambda facility: facility.value)
        areas, area_unit = grid.pixel_areas(summary.get("metric") == "geodesic")
        found = survey(grid, distance.path, allocation.path, [facility.value for facility in facilities], areas, steps)
        if found is None:
            return {}
        steps.pushInfo(self.tr("Distances in the table are in {0}, areas in {1}.").format(in_words(summary["unit"], grid.crs),
                                                                                          area_unit))
        colours = choose_colours(found.neighbours, steps.isCanceled)
        describe_allocation(allocation.path, facilities, found, colours)
        if not all(place.convert(self.file_options(parameters, context), steps) for place in (distance, allocation)):
            return {}
        has_style = keeps_style(allocation.asked, steps)
        if not has_style:
            write_style(allocation.target, style_path(allocation.target), facilities, found, colours)
        return self.put(parameters, (distance, allocation), inputs, has_style, self.rows(facilities, found), summary, context,
                        steps)

    def put(self, parameters, places, inputs, has_style, rows, summary, context, steps):
        distance, allocation = places
        for place in places:
            place.refuse_strangers(inputs)
        results = {"DISTANCE": distance.asked, "ALLOCATION": allocation.asked}
        if steps.isCanceled():
            return {}
        table = self.write_table(parameters, rows, context)
        if table:
            results["TABLE"] = table
        put_all(places, inputs)
        style_when_loaded("distance", distance.asked, summary, context, steps)
        if not has_style:
            when_loaded(allocation.asked, FromFile(style_path(allocation.final)), context)
        return results

    @staticmethod
    def rows(facilities, found):
        """Of the table: value, key, name, pixels, area, mean and largest distance."""
        for place, facility in enumerate(facilities):
            pixels = int(found.pixels[place])
            distances = (found.mean(place), found.maximum(place)) if pixels else (None, None)
            yield (facility.value, facility.key, facility.name, pixels, float(found.area[place]), *distances)

    def write_table(self, parameters, rows, context):
        rows, fields = list(rows), QgsFields()
        whole_ids = all(isinstance(row[1], int) for row in rows)
        for name, kind in (("value", "Int"), ("id", "LongLong" if whole_ids else "QString"), ("name", "QString"),
                           ("pixels", "LongLong"), ("area", "Double"), ("mean_dist", "Double"), ("max_dist", "Double")):
            fields.append(new_field(name, kind))
        sink, table = self.parameterAsSink(parameters, "TABLE", context, fields, QgsWkbTypes.Type.NoGeometry)
        if sink is None:
            return None
        for value, key, *others in rows:
            feature = QgsFeature(fields)
            feature.setAttributes([value, key if whole_ids else str(key), *others])
            if not sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert):
                raise QgsProcessingException(self.writeFeatureError(sink, parameters, "TABLE"))
        return table


def new_field(name, kind):
    """Types are QMetaType's since QGIS 3.38, and QVariant's before."""
    if Qgis.QGIS_VERSION_INT >= 33800:
        return QgsField(name, getattr(QMetaType.Type, kind))
    return QgsField(name, getattr(QVariant, kind.lstrip("Q")))
