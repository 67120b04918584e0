#!/usr/bin/python3
"""Makes predt_processing/help/*.png: the outputs of the four algorithms for the sample hospitals, drawn by QGIS.

    PATH=build/cli:$PATH QT_QPA_PLATFORM=offscreen /usr/bin/python3 qgis/make_pictures.py"""
import os
import sys

from qgis.core import (QgsApplication, QgsMapRendererParallelJob, QgsMapSettings, QgsMarkerSymbol, QgsProcessingContext,
                       QgsProcessingFeedback, QgsProject, QgsProcessingOutputLayerDefinition, QgsRectangle, QgsVectorLayer)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

HERE = os.path.dirname(os.path.abspath(__file__))
HELP = os.path.join(HERE, "predt_processing", "help")
SAMPLES = os.path.join(os.path.dirname(HERE), "sample_rasters")
HOSPITALS = os.path.join(SAMPLES, "hospitals.tif")
POINTS = os.path.join(SAMPLES, "hospitals.geojson")
SIZE = QSize(250, 200)
RASTER = {"INPUT": HOSPITALS, "BAND": 1, "INPUT_NODATA": True, "UNITS": 3}
FACILITIES = {"FACILITIES": POINTS, "ID_FIELD": "id", "NAME_FIELD": "name", "REFERENCE": HOSPITALS, "REFERENCE_NODATA": True,
              "UNITS": 3}


def run(name, parameters, output):
    """The output as a layer, styled as QGIS shows it."""
    from processing.gui.Postprocessing import handleAlgorithmResults
    project, context, feedback = QgsProject(), QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(project)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(name)
    outputs = {one.name(): QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", project)
               for one in algorithm.destinationParameterDefinitions()}
    results, good = algorithm.run({**parameters, **outputs}, context, feedback)
    assert good, feedback.textLog()
    handleAlgorithmResults(algorithm, context, feedback)
    return project, next(layer for layer in project.mapLayers().values() if layer.source() == results[output])


def hospitals():
    layer = QgsVectorLayer(POINTS, "hospitals")
    layer.renderer().setSymbol(QgsMarkerSymbol.createSimple({"name": "circle", "color": "white", "outline_color": "#1e1e28",
                                                             "outline_width": "0.5", "size": "1.8"}))
    return layer


def draw(layers, path):
    settings = QgsMapSettings()
    settings.setLayers(layers)
    settings.setDestinationCrs(layers[-1].crs())
    settings.setExtent(QgsRectangle(500000, 5376000, 530000, 5400000))
    settings.setOutputSize(SIZE)
    settings.setBackgroundColor(QColor("#d6e2ea"))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    assert image.save(path)


def main():
    application = QgsApplication([], True)
    application.initQgis()
    sys.path[:0] = [os.path.join(QgsApplication.pkgDataPath(), "python", "plugins"), HERE]
    from processing.core.Processing import Processing
    Processing.initialize()
    from predt_processing import classFactory
    plugin = classFactory(None)
    plugin.initProcessing()
    os.makedirs(HELP, exist_ok=True)
    points = hospitals()
    for name, parameters, output in (("proximity", RASTER, "OUTPUT"), ("allocation", RASTER, "OUTPUT"),
                                     ("direction", RASTER, "OUTPUT"), ("nearestfacility", FACILITIES, "ALLOCATION")):
        project, layer = run("predt:" + name, parameters, output)
        draw([points, layer], os.path.join(HELP, name + ".png"))
    sys.stdout.flush()
    os._exit(0)  # QGIS 3.22 crashes now and then when it is taken down


if __name__ == "__main__":
    main()
