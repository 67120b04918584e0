"""What all algorithms of the provider share."""
import math
import os
from importlib.util import find_spec

from qgis.core import (QgsApplication, QgsProcessingAlgorithm, QgsProcessingException, QgsProcessingParameterDefinition,
                       QgsProcessingParameterEnum, QgsProcessingParameterNumber, QgsProcessingParameterString)
from qgis.PyQt.QtCore import QCoreApplication, QUrl
from qgis.PyQt.QtGui import QIcon

from .command import fit_command, split_extra
from .measure import METRICS, in_words_on, refuse_senseless
from .outputs import problem_of_outputs
from .repeat import is_relative

HERE = os.path.dirname(os.path.abspath(__file__))
ICON = os.path.join(HERE, "icons", "predt.svg")

# In the order of the list that the user sees. The first two are those of gdal:proximity.
UNITS = ["GEO", "PIXEL", "METRE", "KM", "FOOT", "US_FOOT", "MILE", "NMI"]


class PredtAlgorithm(QgsProcessingAlgorithm):
    """A subclass gives NAME, displayName(), about() (help in words), tags(), and has pictures in the folders icons and help."""
    NAME = ""
    INPUTS = ()  # parameters whose files are never written

    def tr(self, text):
        """Looked up under the class that a text stands in, which is where pylupdate files it."""
        for kind in type(self).__mro__:
            translated = QCoreApplication.translate(kind.__name__, text)
            if translated != text:
                return translated
        return text

    def createInstance(self):
        return type(self)()

    def name(self):
        return self.NAME

    def icon(self):
        return QIcon(self.svgIconPath())

    def svgIconPath(self):
        own = os.path.join(HERE, "icons", self.NAME + ".svg")
        return own if os.path.exists(own) else ICON

    def shortHelpString(self):
        """Paragraphs; with the picture where there is a window to show it in."""
        picture = QUrl.fromLocalFile(os.path.join(HERE, "help", self.NAME + ".png")).toString()
        shown = f'<img src="{picture}" width="225">\n' if QgsApplication.platform() == "desktop" else ""
        return shown + self.about()

    def canExecute(self):
        try:
            return bool(fit_command()), ""
        except QgsProcessingException as problem:
            return False, str(problem)

    def checkParameterValues(self, parameters, context):
        """Said in the dialog; and again at the start of a run, since a model does not ask."""
        try:
            self.check(parameters, context)
        except QgsProcessingException as problem:
            return False, str(problem)
        return super().checkParameterValues(parameters, context)

    def check(self, parameters, context):
        """An exception in one line says what is wrong. Subclasses check more."""
        try:
            split_extra(self.parameterAsString(parameters, "EXTRA", context))
        except ValueError:
            raise QgsProcessingException(self.tr("Additional command-line parameters: a quotation mark is not closed."))
        limit = self.parameterAsDouble(parameters, "MAX_DISTANCE", context)
        if not math.isfinite(limit):
            raise QgsProcessingException(self.tr("Maximum distance: {} is not a distance.").format(limit))
        problem = problem_of_outputs(self, parameters, self.INPUTS, context)
        if problem:
            raise QgsProcessingException(problem)

    # ---- Parameters that several algorithms have ----

    def add(self, parameter, advanced=False, help=None):
        if advanced:
            parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
        if help:
            parameter.setHelp(help)
        self.addParameter(parameter)

    def add_units(self, default):
        names = [self.tr("Georeferenced coordinates"), self.tr("Pixel coordinates"), self.tr("Metres"), self.tr("Kilometres"),
                 self.tr("Feet"), self.tr("US survey feet"), self.tr("Miles"), self.tr("Nautical miles")]
        units = QgsProcessingParameterEnum("UNITS", self.tr("Distance units"), options=names, defaultValue=UNITS.index(default))
        units.setMetadata({"widget_wrapper": {"class": __package__ + ".units_widget.UnitsWidget"}})
        self.add(units,
                 help=self.tr("Lengths are those of straight lines on the plane of the CRS; in a CRS in degrees, those of the "
                              "shortest ways along its ellipsoid."))
        self.add(QgsProcessingParameterEnum("METRIC", self.tr("Where lengths are measured"), defaultValue=0, options=[
            self.tr("Along the ellipsoid in a CRS in degrees, else on the plane"), self.tr("On the plane of the CRS"),
            self.tr("Along the ellipsoid of the CRS")]), advanced=True,
            help=self.tr("Along the ellipsoid: in degrees, Web Mercator and other normal cylindrical projections."))

    def add_max_distance(self):
        self.add(QgsProcessingParameterNumber("MAX_DISTANCE", self.tr("Maximum distance (0: no limit)"), minValue=0.0,
                                              type=QgsProcessingParameterNumber.Type.Double, defaultValue=0.0, optional=True),
                 help=self.tr("In distance units; a target at exactly this distance still counts."))

    def add_file_options(self):
        """OPTIONS as gdal:proximity has it, CREATION_OPTIONS as newer GDAL algorithms call it, and EXTRA."""
        options = QgsProcessingParameterString("OPTIONS", self.tr("Additional creation options"), defaultValue="",
                                               optional=True)
        options.setMetadata({"widget_wrapper": creation_options_widget()})
        self.add(options, advanced=True)
        alias = QgsProcessingParameterString("CREATION_OPTIONS", self.tr("Additional creation options"), defaultValue="",
                                             optional=True)
        alias.setFlags(alias.flags() | QgsProcessingParameterDefinition.Flag.FlagHidden)
        self.addParameter(alias)
        self.add(QgsProcessingParameterString("EXTRA", self.tr("Additional command-line parameters"), optional=True),
                 advanced=True, help=self.tr("Options of gdal_predt, such as -memory 512M; words are split as a shell does."))

    # ---- Their values, as options of the command ----

    def unit(self, parameters, context):
        return UNITS[self.parameterAsEnum(parameters, "UNITS", context)]

    def metric(self, parameters, context):
        return METRICS[self.parameterAsEnum(parameters, "METRIC", context)]

    def distance_options(self, parameters, context):
        options = ["-distunits", self.unit(parameters, context)]
        metric = self.metric(parameters, context)
        options += ["-metric", metric] if metric else []
        limit = self.parameterAsDouble(parameters, "MAX_DISTANCE", context)
        return options + (["-maxdist", repr(limit)] if limit else [])

    def creation_options(self, parameters, context):
        """NAME=VALUE, each."""
        given = "|".join(self.parameterAsString(parameters, name, context) for name in ("OPTIONS", "CREATION_OPTIONS"))
        return [option for option in given.split("|") if option.strip()]

    def extra(self, parameters, context):
        return split_extra(self.parameterAsString(parameters, "EXTRA", context))

    def output_path(self, parameters, name, context):
        """Where an output raster goes; empty if it is optional and not wanted."""
        path = self.parameterAsOutputLayer(parameters, name, context)
        if path.startswith("/vsimem/"):
            raise QgsProcessingException(self.tr("{} lies in the memory of QGIS, where gdal_predt cannot write.").format(path))
        return os.path.abspath(path) if path and is_relative(path) else path

    def measured_crs(self, parameters, context):
        """Of what distances are measured on; None where that is not known yet."""
        raise NotImplementedError

    def check_measure(self, crs, parameters, context):
        """Options in EXTRA may say something else: then the command is the judge."""
        extra = self.parameterAsString(parameters, "EXTRA", context)
        if "dist" not in extra and "metric" not in extra:
            refuse_senseless(crs, self.unit(parameters, context), self.metric(parameters, context))

    def tell_measure(self, crs, parameters, context, feedback):
        """What distances are going to be, before the work."""
        feedback.pushInfo(self.tr("Distances: {}").format(
            in_words_on(crs, self.unit(parameters, context), self.metric(parameters, context))))


def creation_options_widget():
    """The widget of GDAL's own algorithms: a class of Processing up to QGIS 3.42, a name known to QGIS itself later."""
    module = "processing.algs.gdal.ui.RasterOptionsWidget"
    try:
        known = find_spec(module) is not None
    except ModuleNotFoundError:
        known = False
    return {"class": module + ".RasterOptionsWidgetWrapper"} if known else {"widget_type": "rasteroptions"}


def with_option(name, values):
    """["A=1", "B=2"] for -co becomes ["-co", "A=1", "-co", "B=2"]."""
    return [word for value in values for word in (name, value)]
