#!/usr/bin/python3
"""Makes predt_processing/styles/*.qml with QGIS itself: QT_QPA_PLATFORM=offscreen /usr/bin/python3 make_styles.py"""
import os
import re
import tempfile

from osgeo import gdal
from qgis.core import (QgsApplication, QgsColorRampShader, QgsGradientColorRamp, QgsGradientStop, QgsRasterLayer,
                       QgsRasterShader,
                       QgsSingleBandPseudoColorRenderer)
from qgis.PyQt.QtGui import QColor

STYLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "predt_processing", "styles")
DISTANCE = ["#fffacd", "#fdcc78", "#f4825a", "#c3406e", "#682378", "#28144b"]  # near is light
DIRECTION = ["#2b6cb0", "#e8e3d9", "#d98032", "#3d2b3d", "#2b6cb0"]  # north blue, east pale, south orange, west dark
ON_TARGET = "#ffffff"  # 0; due north is 360
ABOVE_0 = 1e-6         # degrees: less than any direction but 0, in rasters up to 2^31 pixels wide


def ramp(colours):
    stops = [QgsGradientStop(i / (len(colours) - 1), QColor(colours[i])) for i in range(1, len(colours) - 1)]
    return QgsGradientColorRamp(QColor(colours[0]), QColor(colours[-1]), False, stops)


def mark_targets(function):
    item = QgsColorRampShader.ColorRampItem
    north, *others = function.colorRampItemList()
    function.setColorRampItemList([item(0, QColor(ON_TARGET), "on a target"), item(ABOVE_0, north.color, "north"), *others[:-1],
                                   item(360, others[-1].color, "360 north")])


def write(raster, name, colours, largest, classes):
    layer = QgsRasterLayer(raster, name)
    function = QgsColorRampShader(0, largest, ramp(colours), QgsColorRampShader.Type.Interpolated,
                                  QgsColorRampShader.ClassificationMode.EqualInterval if classes
                                  else QgsColorRampShader.ClassificationMode.Continuous)
    function.classifyColorRamp(classes, 1)
    if name == "direction":
        mark_targets(function)
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(function)
    renderer = QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader)
    renderer.setClassificationMin(0)
    renderer.setClassificationMax(largest)
    layer.setRenderer(renderer)
    path = os.path.join(STYLES, name + ".qml")
    categories = layer.StyleCategory.Symbology
    print(*layer.saveNamedStyle(path, categories))
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(re.sub(r"\s+$", "", text) + "\n")


def main():
    application = QgsApplication([], False)
    application.initQgis()
    with tempfile.TemporaryDirectory() as folder:
        raster = os.path.join(folder, "any.tif")
        gdal.GetDriverByName("GTiff").Create(raster, 2, 2, 1, gdal.GDT_Float32)
        write(raster, "distance", DISTANCE, 1.0, 0)
        write(raster, "direction", DIRECTION, 360.0, 9)
    application.exitQgis()


if __name__ == "__main__":
    main()
