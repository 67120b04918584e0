"""A Processing script as a class: distance and allocation in one run of gdal_predt, with progress and cancel, and the
farthest pixel from the command's summary.

Put this file into the folder processing/scripts of your QGIS profile (Settings > User Profiles > Open Active Profile Folder).
gdal_predt has to be on the PATH."""
import json
import shlex
import subprocess

from qgis.core import (QgsProcessingAlgorithm, QgsProcessingException, QgsProcessingOutputNumber,
                       QgsProcessingParameterRasterDestination, QgsProcessingParameterRasterLayer)


class PredtNearAndFar(QgsProcessingAlgorithm):
    def createInstance(self):
        return PredtNearAndFar()

    def name(self):
        return "predtnearandfar"

    def displayName(self):
        return "Distance, allocation and farthest pixel (predt)"

    def group(self):
        return "predt examples"

    def groupId(self):
        return "predtexamples"

    def shortHelpString(self):
        return "Kilometres to the nearest target pixel, the value of that target, and the largest distance."

    def initAlgorithm(self, config=None):
        self.addParameter(QgsProcessingParameterRasterLayer("INPUT", "Raster with targets: pixels that are not 0"))
        self.addParameter(QgsProcessingParameterRasterDestination("DISTANCE", "Kilometres to the nearest target"))
        self.addParameter(QgsProcessingParameterRasterDestination("ALLOCATION", "Value of the nearest target"))
        self.addOutput(QgsProcessingOutputNumber("FARTHEST", "Largest distance in kilometres"))

    def processAlgorithm(self, parameters, context, feedback):
        source = self.parameterAsRasterLayer(parameters, "INPUT", context).source()
        distance, allocation = (self.parameterAsOutputLayer(parameters, name, context) for name in ("DISTANCE", "ALLOCATION"))
        command = ["gdal_predt", "-json", "--overwrite", "-distunits", "KM", "-use_input_nodata", "YES", "-allocation",
                   allocation, source, distance]
        feedback.pushCommandInfo(shlex.join(command))
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            messages = self.watch(run, feedback)
            summary = run.stdout.read()
        if feedback.isCanceled():
            return {}
        if run.returncode != 0:
            raise QgsProcessingException(messages)
        farthest = json.loads(summary)["max_distance"]
        return {"DISTANCE": distance, "ALLOCATION": allocation, "FARTHEST": farthest["value"] if farthest else None}

    @staticmethod
    def watch(run, feedback):
        """The command writes 0...10...20 and so on to 100 as it goes, three points before each number: 30 in all."""
        told = ""
        for byte in iter(lambda: run.stderr.read(1), b""):
            told += byte.decode("utf-8", "replace")
            if byte == b".":
                feedback.setProgress(min(100.0, told.count(".") / 30 * 100))
            if feedback.isCanceled():
                run.terminate()  # it stops within a second, and takes its unfinished files away
        return told
